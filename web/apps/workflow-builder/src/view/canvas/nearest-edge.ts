import type { Point } from "../../model/document";

/** An edge as a row of points of the screen along its line. */
export interface Trace {
  id: string;
  points: Point[];
}

const N_POINTS = 64;

/** The traces of all edges that are drawn in an element. */
export function tracesIn(frame: Element): Trace[] {
  return [...frame.querySelectorAll<SVGPathElement>("[data-edge]")].map((line) => ({
    id: line.dataset["edge"]!,
    points: pointsOf(line),
  }));
}

/** The edge whose line passes nearest to a point, and by how much it is nearer than any other. */
export function nearestEdge(traces: readonly Trace[], point: Point): { id: string; lead: number } | null {
  const ranked = traces
    .map(({ id, points }) => ({ id, distance: distanceTo(points, point) }))
    .sort((one, other) => one.distance - other.distance);
  const [first, second] = ranked;
  return first ? { id: first.id, lead: (second?.distance ?? Infinity) - first.distance } : null;
}

function pointsOf(line: SVGPathElement): Point[] {
  const toScreen = line.getScreenCTM();
  const length = line.getTotalLength();
  if (!toScreen) return [];
  return Array.from({ length: N_POINTS + 1 }, (_, index) => {
    const { x, y } = line.getPointAtLength((length * index) / N_POINTS).matrixTransform(toScreen);
    return { x, y };
  });
}

/** How far a point is from the nearest stretch between two neighbouring points. */
function distanceTo(points: readonly Point[], { x, y }: Point): number {
  let nearest = Infinity;
  for (let index = 1; index < points.length; index += 1) {
    const from = points[index - 1]!;
    const to = points[index]!;
    const [across, down] = [to.x - from.x, to.y - from.y];
    const square = across * across + down * down;
    const along = square === 0 ? 0 : ((x - from.x) * across + (y - from.y) * down) / square;
    const share = Math.min(1, Math.max(0, along));
    nearest = Math.min(nearest, Math.hypot(from.x + across * share - x, from.y + down * share - y));
  }
  return nearest;
}
