import { COLOURS } from "./colours";
import type { Frame } from "./layout";
import type { View } from "./view";

const tiles = new Map<number, HTMLCanvasElement>();

/** Draws the paper with a faint dot on every grid point; where the grid is narrow, on every other one. */
export function drawGrid(context: CanvasRenderingContext2D, view: View, [x, y, width, height]: Frame): void {
  const step = view.unit < 12 ? view.unit * 2 : view.unit;
  const pattern = context.createPattern(tileOf(step), "repeat");
  if (pattern === null) {
    return;
  }
  const [left, top] = [view.origin[0] % step, view.origin[1] % step];
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.translate(left, top);
  context.fillStyle = pattern;
  context.fillRect(x - left, y - top, width, height);
  context.restore();
}

/** One square of the grid, with its dot at the corner. */
function tileOf(step: number): HTMLCanvasElement {
  const known = tiles.get(step);
  if (known !== undefined) {
    return known;
  }
  const tile = document.createElement("canvas");
  [tile.width, tile.height] = [step, step];
  const context = tile.getContext("2d");
  if (context !== null) {
    context.fillStyle = COLOURS.paper;
    context.fillRect(0, 0, step, step);
    context.fillStyle = COLOURS.dot;
    const size = step >= 24 ? 2 : 1;
    context.fillRect(0, 0, size, size);
  }
  tiles.set(step, tile);
  return tile;
}
