import type { Point } from "../document";

/** A straight stretch of a way: along x at the height `at`, or along y at the x `at`. */
export interface Segment {
  axis: "x" | "y";
  at: number;
  low: number;
  high: number;
  isFirst: boolean;
  isLast: boolean;
}

/** The stretches between the corners of a way, in order. */
export function segmentsOf(points: readonly Point[]): Segment[] {
  return points.slice(1).map((end, index): Segment => {
    const start = points[index]!;
    const [axis, at, one, other] =
      start.y === end.y ? (["x", start.y, start.x, end.x] as const) : (["y", start.x, start.y, end.y] as const);
    return {
      axis,
      at,
      low: Math.min(one, other),
      high: Math.max(one, other),
      isFirst: index === 0,
      isLast: index === points.length - 2,
    };
  });
}

/** How long a way is. */
export function lengthOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { low, high }) => sum + high - low, 0);
}
