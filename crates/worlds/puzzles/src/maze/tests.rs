use proptest::prelude::*;
use quintain_core::rng::Rng;

use super::*;

fn rows(maze: &Maze) -> String {
    Vec::from(maze.clone()).join("\n")
}

#[test]
fn a_maze_in_characters() {
    insta::assert_snapshot!(rows(&Maze::generate(11, 7, &mut Rng::new(1)).unwrap()), @"
    ###########
    #S........#
    #########.#
    #.....#...#
    #.#####.#.#
    #.......#G#
    ###########
    ");
}

#[test]
fn every_maze_is_equally_likely() {
    let mut counts = std::collections::BTreeMap::new();
    let mut rng = Rng::new(5);
    for _ in 0..8000 {
        *counts.entry(rows(&Maze::generate(5, 5, &mut rng).unwrap())).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 4 * 4, "four spanning trees of four rooms, from each of four corners");
    assert!(counts.values().all(|n| (400..600).contains(n)), "{counts:?}");
}

#[test]
fn sizes_out_of_bounds_are_refused() {
    let said = [(8, 9), (9, 3), (101, 9)].map(|(w, h)| Maze::generate(w, h, &mut Rng::new(0)).unwrap_err());
    insta::assert_snapshot!(said.join("\n"), @"
    `width` must be an odd number from 5 to 99, not 8
    `height` must be an odd number from 5 to 99, not 3
    `width` must be an odd number from 5 to 99, not 101
    ");
}

#[test]
fn texts_that_are_no_mazes_are_refused() {
    let read = |text: &str| {
        Maze::try_from(text.split('/').map(str::to_owned).collect::<Vec<_>>())
            .map_or_else(|why| why, |maze| rows(&maze))
    };
    let said = ["", "###/#S", "#SG/#?#", "#S.", "SSG", "#S.G#"].map(read);
    insta::assert_snapshot!(said.join("\n"), @"
    a maze is rows of the same length, at most 1000 by 1000
    a maze is rows of the same length, at most 1000 by 1000
    a maze has no `?`, only `#`, `.`, `S` and `G`
    a maze has one `G`
    a maze has one `S`
    #S.G#
    ");
}

#[test]
fn a_maze_without_a_way_has_no_solution() {
    let maze = Maze::try_from(vec!["S#G".to_owned()]).unwrap();
    assert_eq!(maze.moves_left(maze.start()), 3);
    for strategy in super::Strategy::NAMES {
        let style = quintain_core::world::OracleStyle { strategy: Some((*strategy).to_owned()), ..Default::default() };
        assert_eq!(MazeWalk::new(&maze, &style).err().unwrap(), "no way leads to the goal of this maze");
    }
}

#[test]
fn wrong_styles_are_refused() {
    let maze = Maze::generate(5, 5, &mut Rng::new(0)).unwrap();
    let refused = |strategy: &str, length| {
        let style = quintain_core::world::OracleStyle { strategy: Some(strategy.to_owned()), length, seed: 0 };
        MazeWalk::new(&maze, &style).err().unwrap()
    };
    insta::assert_snapshot!([refused("shortes", None), refused("padded", Some(u32::MAX))].join("\n"), @"
    mazes have no strategy `shortes`; did you mean `shortest`?
    a solution has at most 100000 actions, not 4294967295
    ");
}

#[test]
fn the_longest_way_is_found_among_small_mazes() {
    let longest = |width, height| {
        let mut rng = Rng::new(0);
        let way = |maze: Maze| maze.moves_left(maze.start());
        (0..4000).map(|_| way(Maze::generate(width, height, &mut rng).unwrap())).max().unwrap()
    };
    for (width, height) in [(5, 5), (7, 5), (7, 7), (9, 5)] {
        assert_eq!(longest(width, height), Maze::longest_way(width, height), "{width} by {height}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn one_way_leads_from_any_cell_to_any_other(seed: u64, rooms_across in 2_u32..20, rooms_down in 2_u32..20) {
        let (width, height) = (2 * rooms_across + 1, 2 * rooms_down + 1);
        let maze = Maze::generate(width, height, &mut Rng::new(seed)).unwrap();
        // As many passages as rooms but one, and all connected: a tree.
        let n_open = maze.cells().filter(|cell| maze.is_open(*cell)).count();
        prop_assert_eq!(n_open as u32, 2 * rooms_across * rooms_down - 1);
        prop_assert_eq!(maze.by_distance().len(), n_open);
        let (start, goal) = (maze.start(), maze.goal());
        prop_assert_eq!(start.x.abs_diff(goal.x), width - 3);
        prop_assert_eq!(start.y.abs_diff(goal.y), height - 3);
        prop_assert!(maze.moves_left(start) <= Maze::longest_way(width, height));
        prop_assert_eq!(Maze::try_from(Vec::from(maze.clone())).unwrap(), maze);
    }

    #[test]
    fn near_misses_are_near_and_miss(seed: u64, bound in 0_u32..5) {
        let maze = Maze::generate(9, 9, &mut Rng::new(seed)).unwrap();
        let near = maze.near_misses(f64::from(bound));
        prop_assert!(near.len() >= 5);
        prop_assert!(near.iter().all(|(moves, cell)| *moves > bound && maze.moves_left(*cell) == *moves));
        prop_assert_eq!(near[0].0, bound + 1);
    }
}
