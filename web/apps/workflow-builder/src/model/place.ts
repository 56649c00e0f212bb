import type { Node, Point } from "./document";
import { GRID_PX, nodeHeight, NODE_WIDTH_PX } from "./measures";
import { boundsOf, boxOf, visibleBox, type Box, type Size, type Viewport } from "./viewport";

const CLEARANCE_PX = 20;
const EDGE_PX = 30;

/**
 * Where a new node goes: beside the selected node when there is room, else the free spot nearest to the middle of what
 * shows, else below everything (and then the canvas has to be moved to show it).
 */
export function placeNode(
  nodes: readonly Node[],
  added: Node,
  viewport: Viewport,
  size: Size,
  beside: Node | undefined,
): Point {
  const visible = visibleBox(viewport, size);
  const free = (point: Point) => isFree(nodes, boxOf({ ...added, position: point }), visible);
  const next = beside && besideNode(beside).find(free);
  return next ?? spots(visible, nodeHeight(added)).find(free) ?? belowAll(nodes);
}

function besideNode(node: Node): Point[] {
  const { x, y } = node.position;
  const right = x + NODE_WIDTH_PX + 3 * GRID_PX;
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

function isFree(nodes: readonly Node[], box: Box, visible: Box): boolean {
  const shows =
    box.x >= visible.x + EDGE_PX &&
    box.y >= visible.y + EDGE_PX &&
    box.x + box.width <= visible.x + visible.width - EDGE_PX &&
    box.y + box.height <= visible.y + visible.height - EDGE_PX;
  return shows && nodes.every((node) => areApart(boxOf(node), box));
}

function areApart(one: Box, other: Box): boolean {
  const gap = CLEARANCE_PX;
  return (
    one.x + one.width + gap <= other.x ||
    other.x + other.width + gap <= one.x ||
    one.y + one.height + gap <= other.y ||
    other.y + other.height + gap <= one.y
  );
}

function belowAll(nodes: readonly Node[]): Point {
  const bounds = boundsOf(nodes);
  return bounds ? snap({ x: bounds.x, y: bounds.y + bounds.height + 3 * GRID_PX }) : { x: 0, y: 0 };
}

function snap({ x, y }: Point): Point {
  return { x: Math.round(x / GRID_PX) * GRID_PX, y: Math.round(y / GRID_PX) * GRID_PX };
}
