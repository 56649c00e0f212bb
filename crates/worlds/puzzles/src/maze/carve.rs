//! Carving a maze by Wilson's algorithm: random walks with their loops erased, which make every maze equally likely.

use quintain_core::rng::Rng;

use super::{Maze, MazeCell, MazeDirection};

/// Carves a maze of odd width and height. Rooms lie at odd places; between two of them is one cell of wall or passage.
pub(super) fn maze(width: i32, height: i32, rng: &mut Rng) -> Maze {
    let (start, goal) = corners(width, height, rng);
    let open = vec![false; (width * height) as usize];
    let mut maze = Maze { width, height, open, start, goal };
    let mut way_out = vec![MazeDirection::East; maze.open.len()];
    dig(&mut maze, goal);
    for y in (1..height).step_by(2) {
        for x in (1..width).step_by(2) {
            let room = MazeCell { x, y };
            wander(&maze, room, &mut way_out, rng);
            dig_along(&mut maze, room, &way_out);
        }
    }
    maze
}

/// A corner and the opposite one.
fn corners(width: i32, height: i32, rng: &mut Rng) -> (MazeCell, MazeCell) {
    let (left, right, top, bottom) = (1, width - 2, 1, height - 2);
    let mut x = [left, right];
    let mut y = [top, bottom];
    rng.shuffle(&mut x);
    rng.shuffle(&mut y);
    (MazeCell { x: x[0], y: y[0] }, MazeCell { x: x[1], y: y[1] })
}

/// Walks at random from a room until it meets the maze, noting the last way out of each room.
fn wander(maze: &Maze, from: MazeCell, way_out: &mut [MazeDirection], rng: &mut Rng) {
    let mut room = from;
    while !maze.is_open(room) {
        let direction = *rng.choose(&MazeDirection::ALL);
        let next = room.next(direction).next(direction);
        if let (Some(index), Some(_)) = (maze.index(room), maze.index(next)) {
            way_out[index] = direction;
            room = next;
        }
    }
}

/// Digs along the last ways out: that is the walk without its loops.
fn dig_along(maze: &mut Maze, from: MazeCell, way_out: &[MazeDirection]) {
    let mut room = from;
    while !maze.is_open(room) {
        let direction = maze.index(room).map_or(MazeDirection::East, |index| way_out[index]);
        dig(maze, room);
        dig(maze, room.next(direction));
        room = room.next(direction).next(direction);
    }
}

fn dig(maze: &mut Maze, cell: MazeCell) {
    if let Some(index) = maze.index(cell) {
        maze.open[index] = true;
    }
}
