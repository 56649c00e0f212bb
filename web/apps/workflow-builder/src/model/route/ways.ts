import type { Point } from "../document";
import type { Keep } from "./clashes";
import { lengthOf, segmentsOf, type Segment } from "./segments";

/** A way an edge may take, as its corners, and what it costs before anything else is looked at. */
export interface Way {
  points: Point[];
  segments: Segment[];
  cost: number;
}

/** Lines keep this far from each other. */
const LANE_PX = 10;

/** How far a line goes straight on at least, out of a port and into one (where the head of its arrow is). */
const OUT_PX = 13;
const IN_PX = 23;
/** A line along nodes has its first lane this far from the room they take. */
const ASIDE_PX = 8;
const N_SIDE_LANES = 3;
const N_HEIGHTS = 12;
const BEND_COST = 12;
const SHIFT_COST = 0.5;

/** The straight line, or those with one upright stretch in between, best in the middle. */
export function directWays(from: Point, to: Point): Way[] {
  if (to.x <= from.x) return [];
  if (from.y === to.y) return [way([from, to], 0)];
  const lanes = lanesBetween(from.x + OUT_PX, to.x - IN_PX);
  const middle = lanes[Math.floor((lanes.length - 1) / 2)];
  if (middle === undefined) return [upright(from, to, Math.floor((from.x + to.x) / 2), 0)];
  return lanes.map((x) => upright(from, to, x, Math.abs(x - middle)));
}

function upright(from: Point, to: Point, x: number, shift: number): Way {
  return way([from, { x, y: from.y }, { x, y: to.y }, to], shift);
}

function lanesBetween(first: number, last: number): number[] {
  const count = Math.floor((last - first) / LANE_PX) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => first + index * LANE_PX);
}

/** The ways that leave the source, run above or below nodes and come back to the target. */
export function detours(from: Point, to: Point, keeps: readonly Keep[]): Way[] {
  const sides = Array.from({ length: N_SIDE_LANES }, (_, index) => index * LANE_PX);
  const heights = heightsFor(from, to, keeps);
  return sides.flatMap((out) =>
    sides.flatMap((back) => heights.map((y) => detour(from, to, { out: OUT_PX + out, back: IN_PX + back, y }))),
  );
}

/** What a detour costs at least. */
export function leastDetour(from: Point, to: Point): number {
  return Math.abs(to.x - from.x) + Math.abs(to.y - from.y) + 4 * BEND_COST;
}

function detour(from: Point, to: Point, { out, back, y }: { out: number; back: number; y: number }): Way {
  const [right, left] = [from.x + out, to.x - back];
  const corners = [from, { x: right, y: from.y }, { x: right, y }, { x: left, y }, { x: left, y: to.y }, to];
  return way(corners, out - OUT_PX + back - IN_PX);
}

/** The heights at which a line can run past nodes, those with the least to climb; free ones only if there are any. */
function heightsFor(from: Point, to: Point, keeps: readonly Keep[]): number[] {
  const [left, right] = [Math.min(from.x, to.x - IN_PX), Math.max(from.x + OUT_PX, to.x)];
  const met = keeps.filter((keep) => keep.left < right && keep.right > left);
  const climb = (y: number) => Math.abs(y - from.y) + Math.abs(y - to.y);
  const ranked = [...new Set(met.flatMap(besides))].sort((one, other) => climb(one) - climb(other) || other - one);
  const free = firstOf(ranked, N_HEIGHTS, (y) => met.every(({ top, bottom }) => y <= top || y >= bottom));
  return free.length > 0 ? free : ranked.slice(0, N_HEIGHTS);
}

function firstOf<T>(items: readonly T[], count: number, isWanted: (item: T) => boolean): T[] {
  const found: T[] = [];
  for (const item of items) {
    if (found.length === count) break;
    if (isWanted(item)) found.push(item);
  }
  return found;
}

function besides({ top, bottom }: Keep): number[] {
  const lanes = Array.from({ length: N_SIDE_LANES }, (_, index) => ASIDE_PX + index * LANE_PX);
  return lanes.flatMap((lane) => [top - lane, bottom + lane]);
}

function way(points: Point[], shift: number): Way {
  const segments = segmentsOf(points);
  const cost = lengthOf(segments) + BEND_COST * (points.length - 2) + SHIFT_COST * shift;
  return { points, segments, cost };
}
