import type { Point } from "./document";

/** Where an edge that runs backwards passes below both of its nodes. */
export interface Detour {
  /** The lower end of the lower node. */
  bottom: number;
}

const STUB_PX = 22;
const BEND_PX = 10;

/** The drawn line from an output to an input: a gentle curve forwards, a rounded way around the nodes backwards. */
export function curve(from: Point, end: Point, detour: Detour | null): string {
  const isForward = end.x - from.x >= STUB_PX;
  if (isForward || !detour) return forwards(from, end);
  return rounded(around(from, end, detour.bottom + STUB_PX));
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

function around(from: Point, to: Point, bottom: number): Point[] {
  const right = from.x + STUB_PX;
  const left = to.x - STUB_PX;
  return [from, { x: right, y: from.y }, { x: right, y: bottom }, { x: left, y: bottom }, { x: left, y: to.y }, to];
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
