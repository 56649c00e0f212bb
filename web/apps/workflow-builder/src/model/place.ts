import type { Edge, Node, Point } from "./document";
import { GRID_PX, HEADER_PX, inputAnchor, nodeHeight, NODE_WIDTH_PX, outputAnchor } from "./measures";
import { boundsOf, boxOf, visibleBox, type Box, type Size, type Viewport } from "./viewport";

/** What a place has to keep away from. */
interface Taken {
  boxes: Box[];
  points: Point[];
  visible: Box;
}

const EDGE_PX = 24;
const CLEARANCES_PX = [40, 20];
const N_EDGE_POINTS = 24;
/** New rows begin below rather than above: the way up counts this much longer. */
const UPWARDS = 2;

/**
 * Where a new node goes: the free spot nearest to the right of the selected node, or to the middle of what shows, away
 * from nodes and lines if possible; else below everything (and then the canvas has to be moved to show it).
 */
export function placeNode(
  { nodes, edges }: { nodes: readonly Node[]; edges: readonly Edge[] },
  added: Node,
  viewport: Viewport,
  size: Size,
  beside: Node | undefined,
): Point {
  const visible = visibleBox(viewport, size);
  const taken = { boxes: nodes.map(boxOf), points: edges.flatMap((edge) => pointsOf(edge, nodes)), visible };
  const aim = beside ? rightOf(beside) : openingSpot(nodes, visible, nodeHeight(added));
  const candidates = spots(visible, aim);
  const box = (position: Point) => boxOf({ ...added, position });
  const [roomy, tight] = CLEARANCES_PX as [number, number];
  return (
    candidates.find((point) => isFree(box(point), taken, roomy) && !coversLine(box(point), taken)) ??
    candidates.find((point) => isFree(box(point), taken, tight)) ??
    belowAll(nodes)
  );
}

/** Where a node lies when its header is let go at a point of the canvas's part of the screen. */
export function dropPoint({ x, y }: Point, viewport: Viewport): Point {
  const at = { x: (x - viewport.x) / viewport.zoom, y: (y - viewport.y) / viewport.zoom };
  return snap({ x: at.x - NODE_WIDTH_PX / 2, y: at.y - HEADER_PX / 2 });
}

function rightOf({ position: { x, y } }: Node): Point {
  return snap({ x: x + NODE_WIDTH_PX + 4 * GRID_PX, y });
}

/** The first node of a workflow goes to the left, so that there is room for what follows; others go to the middle. */
function openingSpot(nodes: readonly Node[], visible: Box, height: number): Point {
  const left = nodes.length === 0 ? 3 * GRID_PX : (visible.width - NODE_WIDTH_PX) / 2;
  return snap({ x: visible.x + left, y: visible.y + (visible.height - height) / 2 });
}

/** The places of the raster that show, the nearest to where the node should be first. */
function spots(visible: Box, aim: Point): Point[] {
  const found: Point[] = [];
  const { x: left, y: top } = snap(visible);
  for (let x = left; x <= visible.x + visible.width; x += GRID_PX) {
    for (let y = top; y <= visible.y + visible.height; y += GRID_PX) found.push({ x, y });
  }
  const distance = ({ x, y }: Point) => Math.hypot(x - aim.x, y < aim.y ? UPWARDS * (aim.y - y) : y - aim.y);
  return found.sort((one, other) => distance(one) - distance(other) || one.y - other.y || one.x - other.x);
}

function isFree(box: Box, { boxes, visible }: Taken, clearance: number): boolean {
  const shows =
    box.x >= visible.x + EDGE_PX &&
    box.y >= visible.y + EDGE_PX &&
    box.x + box.width <= visible.x + visible.width - EDGE_PX &&
    box.y + box.height <= visible.y + visible.height - EDGE_PX;
  return shows && boxes.every((other) => areApart(other, box, clearance));
}

function areApart(one: Box, other: Box, gap: number): boolean {
  return (
    one.x + one.width + gap <= other.x ||
    other.x + other.width + gap <= one.x ||
    one.y + one.height + gap <= other.y ||
    other.y + other.height + gap <= one.y
  );
}

function coversLine(box: Box, { points }: Taken): boolean {
  return points.some(
    ({ x, y }) => x >= box.x - GRID_PX && x <= box.x + box.width + GRID_PX && y >= box.y && y <= box.y + box.height,
  );
}

/** Points along the straight way of an edge, which is near enough to its curve. */
function pointsOf({ source, output, target }: Edge, nodes: readonly Node[]): Point[] {
  const from = nodes.find(({ id }) => id === source);
  const to = nodes.find(({ id }) => id === target);
  if (!from || !to) return [];
  const start = add(from.position, outputAnchor(from, output));
  const end = add(to.position, inputAnchor());
  return Array.from({ length: N_EDGE_POINTS }, (_, index) => {
    const share = index / (N_EDGE_POINTS - 1);
    return { x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share };
  });
}

function add(one: Point, other: Point): Point {
  return { x: one.x + other.x, y: one.y + other.y };
}

function belowAll(nodes: readonly Node[]): Point {
  const bounds = boundsOf(nodes);
  return bounds ? snap({ x: bounds.x, y: bounds.y + bounds.height + 3 * GRID_PX }) : { x: 0, y: 0 };
}

function snap({ x, y }: Point): Point {
  return { x: Math.round(x / GRID_PX) * GRID_PX, y: Math.round(y / GRID_PX) * GRID_PX };
}
