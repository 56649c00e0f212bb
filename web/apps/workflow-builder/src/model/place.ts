import type { Edge, Node, Point } from "./document";
import { GRID_PX, inputAnchor, nodeHeight, NODE_WIDTH_PX, outputAnchor } from "./measures";
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

/**
 * Where a new node goes: beside the selected node when there is room, else the free spot nearest to the middle of what
 * shows, away from nodes and lines if possible, else below everything (and then the canvas has to be moved to show it).
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
  const candidates = [...(beside ? besideNode(beside) : []), ...spots(visible, nodeHeight(added))];
  const box = (position: Point) => boxOf({ ...added, position });
  const [roomy, tight] = CLEARANCES_PX as [number, number];
  return (
    candidates.find((point) => isFree(box(point), taken, roomy) && !coversLine(box(point), taken)) ??
    candidates.find((point) => isFree(box(point), taken, tight)) ??
    belowAll(nodes)
  );
}

function besideNode(node: Node): Point[] {
  const { x, y } = node.position;
  const right = x + NODE_WIDTH_PX + 4 * GRID_PX;
  return [0, 120, -120, 240, -240].map((down) => snap({ x: right, y: y + down }));
}

/** The places of the raster that show whole, the nearest to the middle first. */
function spots(visible: Box, height: number): Point[] {
  const middle = snap({
    x: visible.x + (visible.width - NODE_WIDTH_PX) / 2,
    y: visible.y + (visible.height - height) / 2,
  });
  const across = Math.ceil(visible.width / 2 / GRID_PX);
  const down = Math.ceil(visible.height / 2 / GRID_PX);
  const found: Point[] = [];
  for (let column = -across; column <= across; column += 1) {
    for (let row = -down; row <= down; row += 1) {
      found.push({ x: middle.x + column * GRID_PX, y: middle.y + row * GRID_PX });
    }
  }
  const distance = ({ x, y }: Point) => Math.hypot(x - middle.x, y - middle.y);
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
