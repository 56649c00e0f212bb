import type { Node, Point } from "./document";
import { GRID_PX, HEADER_PX, nodeHeight, NODE_WIDTH_PX } from "./measures";
import { boundsOf, boxOf, couldShow, visibleBox, type Box, type Size, type Viewport } from "./viewport";

const CLEARANCE_PX = 40;
/** From one column or row to the next where the workflow has only one. */
const COLUMN_PX = 280;
const ROW_PX = 160;
const LEAST_ROW_PX = 120;

/**
 * Where a new node goes, on the columns and rows that the workflow has: right of the selected node; else at the end of
 * the row that was last worked on, as long as the whole width can be shown at once; else in a new row at the left.
 */
export function placeNode(
  nodes: readonly Node[],
  added: Node,
  selected: Node | undefined,
  viewport: Viewport,
  size: Size,
): Point {
  const last = selected ?? nodes.at(-1);
  if (!last) return openingSpot(visibleBox(viewport, size), nodeHeight(added));
  const fits = (position: Point) => {
    const node = { ...added, position };
    return isFree(boxOf(node), nodes) && couldShow([...nodes, node], size);
  };
  const beside = selected ? [nextTo(selected, nodes)] : [];
  return [...beside, nextTo(endOfRow(last, nodes), nodes)].find(fits) ?? newRow(nodes);
}

/** Where a node lies when its header is let go at a point of the canvas's part of the screen. */
export function dropPoint({ x, y }: Point, viewport: Viewport): Point {
  const at = { x: (x - viewport.x) / viewport.zoom, y: (y - viewport.y) / viewport.zoom };
  return snap({ x: at.x - NODE_WIDTH_PX / 2, y: at.y - HEADER_PX / 2 });
}

/** The first node of a workflow goes to the left, so that there is room for what follows. */
function openingSpot(visible: Box, height: number): Point {
  return snap({ x: visible.x + 3 * GRID_PX, y: visible.y + (visible.height - height) / 2 });
}

/** The place in the next column: one that there is, or one as far away as columns are. */
function nextTo({ position: { x, y } }: Node, nodes: readonly Node[]): Point {
  const pitch = pitchOf(
    nodes.map(({ position }) => position.x),
    NODE_WIDTH_PX + CLEARANCE_PX,
    COLUMN_PX,
  );
  const columns = nodes
    .map(({ position }) => position.x)
    .filter((column) => column >= x + NODE_WIDTH_PX + CLEARANCE_PX);
  const nearest = Math.min(...columns);
  return { x: nearest <= x + pitch ? nearest : x + pitch, y };
}

/** The rightmost of the nodes that stand beside a node. */
function endOfRow(node: Node, nodes: readonly Node[]): Node {
  const row = nodes.filter(({ position }) => Math.abs(position.y - node.position.y) < CLEARANCE_PX);
  return row.reduce((end, other) => (other.position.x > end.position.x ? other : end), node);
}

/** The first place of a row below everything. */
function newRow(nodes: readonly Node[]): Point {
  const { x, y, height } = boundsOf(nodes)!;
  const rows = nodes.map((node) => node.position.y);
  const pitch = pitchOf(rows, LEAST_ROW_PX, ROW_PX);
  let top = Math.max(...rows) + pitch;
  while (top < y + height + CLEARANCE_PX) top += pitch;
  return { x, y: top };
}

/** The smallest step between neighbouring values that is at least `least`, or `usual` where there is none so small. */
function pitchOf(values: readonly number[], least: number, usual: number): number {
  const sorted = [...new Set(values)].sort((one, other) => one - other);
  const steps = sorted.slice(1).map((value, index) => value - sorted[index]!);
  return Math.min(usual, ...steps.filter((step) => step >= least));
}

function isFree(box: Box, nodes: readonly Node[]): boolean {
  return nodes.every((node) => areApart(boxOf(node), box, CLEARANCE_PX));
}

function areApart(one: Box, other: Box, gap: number): boolean {
  return (
    one.x + one.width + gap <= other.x ||
    other.x + other.width + gap <= one.x ||
    one.y + one.height + gap <= other.y ||
    other.y + other.height + gap <= one.y
  );
}

function snap({ x, y }: Point): Point {
  return { x: Math.round(x / GRID_PX) * GRID_PX, y: Math.round(y / GRID_PX) * GRID_PX };
}
