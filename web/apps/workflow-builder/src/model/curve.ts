import type { Point } from "./document";

/** How far a node reaches from top to bottom. */
export interface Span {
  top: number;
  bottom: number;
}

const STUB_PX = 22;
const BEND_PX = 10;

/** The drawn line from an output to an input: a gentle curve forwards, a rounded way along the height `detour` backwards. */
export function curve(from: Point, end: Point, detour: number | null): string {
  const isForward = end.x - from.x >= STUB_PX;
  if (isForward || detour === null) return forwards(from, end);
  return rounded(around(from, end, detour));
}

/** The height at which an edge runs backwards: between its two nodes when there is room, else below both. */
export function detourOf(source: Span, target: Span): number {
  const [upper, lower] = source.top < target.top ? [source, target] : [target, source];
  const hasRoom = lower.top - upper.bottom >= 2 * STUB_PX;
  return hasRoom ? (upper.bottom + lower.top) / 2 : Math.max(upper.bottom, lower.bottom) + STUB_PX;
}

/** The head of an arrow of a given length with its tip at a point. */
export function arrow({ x, y }: Point, length: number): string {
  const half = length * 0.55;
  return `M${x} ${y}L${x - length} ${y - half}L${x - length} ${y + half}Z`;
}

function forwards(from: Point, to: Point): string {
  const reach = Math.max(24, Math.min(120, Math.abs(to.x - from.x) / 2));
  return `M${from.x} ${from.y}C${from.x + reach} ${from.y} ${to.x - reach} ${to.y} ${to.x} ${to.y}`;
}

function around(from: Point, to: Point, detour: number): Point[] {
  const right = from.x + STUB_PX;
  const left = to.x - STUB_PX;
  return [from, { x: right, y: from.y }, { x: right, y: detour }, { x: left, y: detour }, { x: left, y: to.y }, to];
}

/** A line through points with rounded corners. */
function rounded(points: Point[]): string {
  const [first, ...rest] = points;
  const bends = rest.slice(0, -1).map((corner, index) => bend(points[index]!, corner, points[index + 2]!));
  const last = rest.at(-1)!;
  return `M${first!.x} ${first!.y}${bends.join("")}L${last.x} ${last.y}`;
}

function bend(before: Point, corner: Point, after: Point): string {
  const start = towards(corner, before);
  const end = towards(corner, after);
  return `L${start.x} ${start.y}Q${corner.x} ${corner.y} ${end.x} ${end.y}`;
}

function towards(corner: Point, other: Point): Point {
  const length = Math.hypot(other.x - corner.x, other.y - corner.y);
  const share = length === 0 ? 0 : Math.min(BEND_PX, length / 2) / length;
  return { x: corner.x + (other.x - corner.x) * share, y: corner.y + (other.y - corner.y) * share };
}
