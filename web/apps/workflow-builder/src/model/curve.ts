import type { Point } from "./document";

const BEND_PX = 10;

/** A gentle curve from an output to where the pointer is. */
export function curve(from: Point, to: Point): string {
  const reach = Math.max(24, Math.min(120, Math.abs(to.x - from.x) / 2));
  return `M${from.x} ${from.y}C${from.x + reach} ${from.y} ${to.x - reach} ${to.y} ${to.x} ${to.y}`;
}

/** The head of an arrow of a given length with its tip at a point. */
export function arrow({ x, y }: Point, length: number): string {
  const half = length * 0.55;
  return `M${x} ${y}L${x - length} ${y - half}L${x - length} ${y + half}Z`;
}

/** A line through corners with the corners rounded, as far as its stretches are long enough. */
export function rounded(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const bends = rest.slice(0, -1).map((corner, index) => bend(points[index]!, corner, points[index + 2]!));
  const last = rest.at(-1)!;
  return `M${first!.x} ${first!.y}${bends.join("")}L${last.x} ${last.y}`;
}

function bend(before: Point, corner: Point, after: Point): string {
  const radius = Math.min(BEND_PX, Math.floor(Math.min(distance(corner, before), distance(corner, after)) / 2));
  const start = towards(corner, before, radius);
  const end = towards(corner, after, radius);
  return `L${start.x} ${start.y}Q${corner.x} ${corner.y} ${end.x} ${end.y}`;
}

function distance(one: Point, other: Point): number {
  return Math.abs(other.x - one.x) + Math.abs(other.y - one.y);
}

function towards({ x, y }: Point, other: Point, length: number): Point {
  return { x: x + Math.sign(other.x - x) * length, y: y + Math.sign(other.y - y) * length };
}
