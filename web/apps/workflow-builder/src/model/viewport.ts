import type { Node, Point } from "./document";
import { nodeHeight, NODE_WIDTH_PX } from "./measures";

/** How the canvas is looked at: its corner in pixels of the screen, and the scale. */
export interface Viewport {
  x: number;
  y: number;
  zoom: number;
}

/** A width and a height in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** A rectangle of the canvas. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The only scales there are: text is crisp at these, and the same picture comes out every time. */
export const ZOOM_LEVELS: readonly number[] = [0.5, 0.6, 0.75, 1, 1.25, 1.5];

const FIT_MARGIN_PX = 14;
/** What is brought into view is brought this far from the border, so that its ports can be reached. */
const REVEAL_MARGIN_PX = 40;
/** What the zoom buttons take at the bottom of the canvas. */
const BAR_PX = 44;
const FIT_MOST = 1;
const BLANK_ZOOM = 0.75;

/** The next scale up or down, or the same at the ends. */
export function zoomLevel(zoom: number, way: "in" | "out"): number {
  if (way === "in") return ZOOM_LEVELS.find((level) => level > zoom + 0.01) ?? zoom;
  return ZOOM_LEVELS.findLast((level) => level < zoom - 0.01) ?? zoom;
}

/** Changes the scale so that the given point of the screen keeps its place on the canvas. */
export function zoomAround(viewport: Viewport, zoom: number, { x, y }: Point): Viewport {
  const ratio = zoom / viewport.zoom;
  return { x: Math.round(x - (x - viewport.x) * ratio), y: Math.round(y - (y - viewport.y) * ratio), zoom };
}

/**
 * Shows all nodes at the largest scale up to 100 % at which they fit. What does not fit even at the smallest scale shows
 * its top left.
 */
export function fit(nodes: readonly Node[], canvas: Size): Viewport {
  const size = { width: canvas.width, height: canvas.height - BAR_PX };
  const bounds = boundsOf(nodes);
  if (!bounds) return { x: 0, y: 0, zoom: BLANK_ZOOM };
  const fits = (level: number) =>
    bounds.width * level + 2 * FIT_MARGIN_PX <= size.width && bounds.height * level + 2 * FIT_MARGIN_PX <= size.height;
  const zoom = ZOOM_LEVELS.findLast((level) => level <= FIT_MOST && fits(level)) ?? ZOOM_LEVELS[0]!;
  const centre = (start: number, length: number, room: number) =>
    Math.round(Math.max(FIT_MARGIN_PX, (room - length * zoom) / 2) - start * zoom);
  return { x: centre(bounds.x, bounds.width, size.width), y: centre(bounds.y, bounds.height, size.height), zoom };
}

/** Whether nodes can be seen side by side, at the smallest scale at least. */
export function couldShow(nodes: readonly Node[], canvas: Size): boolean {
  const bounds = boundsOf(nodes);
  return !bounds || bounds.width * ZOOM_LEVELS[0]! + 2 * FIT_MARGIN_PX <= canvas.width;
}

/** The smallest rectangle around all nodes, or null when there are none. */
export function boundsOf(nodes: readonly Node[]): Box | null {
  if (nodes.length === 0) return null;
  const boxes = nodes.map(boxOf);
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** The rectangle of a node. */
export function boxOf(node: Node): Box {
  return { ...node.position, width: NODE_WIDTH_PX, height: nodeHeight(node) };
}

/** The rectangle of the canvas that shows. */
export function visibleBox(viewport: Viewport, size: Size): Box {
  const { x, y, zoom } = viewport;
  return { x: -x / zoom, y: -y / zoom, width: size.width / zoom, height: size.height / zoom };
}

/** Moves the canvas, if it has to be, so that a node shows whole and clear of the zoom buttons. */
export function reveal(node: Node, viewport: Viewport, { width, height }: Size): Viewport {
  const box = boxOf(node);
  const shift = (start: number, length: number, corner: number, room: number) => {
    const first = corner + start * viewport.zoom;
    const last = first + length * viewport.zoom;
    if (first < FIT_MARGIN_PX) return REVEAL_MARGIN_PX - first;
    return last > room - FIT_MARGIN_PX ? room - REVEAL_MARGIN_PX - last : 0;
  };
  return {
    x: Math.round(viewport.x + shift(box.x, box.width, viewport.x, width)),
    y: Math.round(viewport.y + shift(box.y, box.height, viewport.y, height - BAR_PX)),
    zoom: viewport.zoom,
  };
}
