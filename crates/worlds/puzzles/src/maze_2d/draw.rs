//! Drawing the maze from above. Nothing reaches beyond its cell, so a move draws two cells again.

use std::sync::Arc;

use quintain_core::picture::Picture;

use super::Start;
use crate::canvas::{Area, Color, circle, fill, rounded};
use crate::maze::{Maze, MazeCell};

const WALL: Color = [92, 99, 112];
const WALL_FOOT: Color = [66, 72, 84];
const FLOOR: Color = [250, 250, 247];
const SEAM: Color = [232, 232, 226];
const GOAL: Color = [214, 40, 46];
const GOAL_EDGE: Color = [150, 20, 28];
const AGENT: Color = [30, 100, 220];
const AGENT_EDGE: Color = [14, 54, 140];
const RIM: Color = [255, 255, 255];

/// The picture and the place it shows the agent at.
pub struct Drawing {
    picture: Arc<Picture>,
    at: MazeCell,
}

impl Drawing {
    pub(super) fn new(start: &Start, at: MazeCell) -> Self {
        let (width, height) = (start.map.width() as u32, start.map.height() as u32);
        let mut picture = Picture::filled(width * start.cell_px, height * start.cell_px, WALL);
        for cell in start.map.cells() {
            draw_cell(&mut picture, start, cell);
        }
        draw_agent(&mut picture, start, at);
        Self { picture: Arc::new(picture), at }
    }

    pub(super) fn show(&mut self, start: &Start, at: MazeCell) -> Arc<Picture> {
        if at != self.at {
            let picture = Arc::make_mut(&mut self.picture);
            draw_cell(picture, start, self.at);
            draw_agent(picture, start, at);
            self.at = at;
        }
        Arc::clone(&self.picture)
    }
}

fn draw_cell(picture: &mut Picture, start: &Start, cell: MazeCell) {
    let area = area_of(start, cell);
    if !start.map.is_open(cell) {
        return draw_wall(picture, &start.map, cell, area);
    }
    draw_floor(picture, &start.map, cell, area);
    if cell == start.map.goal() {
        rounded(picture, inset(area, start.cell_px / 10), start.cell_px as f32 * 0.14, GOAL_EDGE);
        let edge = (start.cell_px / 10 + start.cell_px / 16).max(start.cell_px / 10 + 1);
        rounded(picture, inset(area, edge), start.cell_px as f32 * 0.10, GOAL);
    }
}

/// A block of wall, with a darker foot where the floor begins below it.
fn draw_wall(picture: &mut Picture, maze: &Maze, cell: MazeCell, area: Area) {
    fill(picture, area, WALL);
    if maze.is_open(MazeCell { x: cell.x, y: cell.y + 1 }) {
        let foot = (area.height / 8).max(1);
        fill(picture, Area::new(area.x, area.y + area.height - foot, area.width, foot), WALL_FOOT);
    }
}

/// Floor, with a thin seam towards each open cell on its right and below, so that cells can be counted.
fn draw_floor(picture: &mut Picture, maze: &Maze, cell: MazeCell, area: Area) {
    fill(picture, area, FLOOR);
    if maze.is_open(MazeCell { x: cell.x + 1, y: cell.y }) {
        fill(picture, Area::new(area.x + area.width - 1, area.y, 1, area.height), SEAM);
    }
    if maze.is_open(MazeCell { x: cell.x, y: cell.y + 1 }) {
        fill(picture, Area::new(area.x, area.y + area.height - 1, area.width, 1), SEAM);
    }
}

fn draw_agent(picture: &mut Picture, start: &Start, at: MazeCell) {
    let area = area_of(start, at);
    let size = start.cell_px as f32;
    let middle = (area.x as f32 + size / 2.0, area.y as f32 + size / 2.0);
    if at == start.map.goal() {
        circle(picture, middle, size * 0.36, RIM);
    }
    circle(picture, middle, size * 0.32, AGENT_EDGE);
    circle(picture, middle, size * 0.27, AGENT);
}

fn area_of(start: &Start, cell: MazeCell) -> Area {
    let size = start.cell_px as i32;
    Area::new(cell.x * size, cell.y * size, size, size)
}

fn inset(area: Area, by: u32) -> Area {
    let by = by as i32;
    Area::new(area.x + by, area.y + by, area.width - 2 * by, area.height - 2 * by)
}
