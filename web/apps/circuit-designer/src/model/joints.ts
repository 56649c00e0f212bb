import { type CircuitDocument, type Point, type Wire, nextId, pointKey, samePoint } from "./document";
import { placedPins } from "./place";

/** Every grid point at which a pin or a wire end lies, with how many of them do. */
export function endpoints(doc: CircuitDocument): Map<string, { at: Point; pins: number; ends: number }> {
  const points = new Map<string, { at: Point; pins: number; ends: number }>();
  const visit = (at: Point) => {
    const key = pointKey(at);
    const found = points.get(key) ?? { at, pins: 0, ends: 0 };
    points.set(key, found);
    return found;
  };
  for (const part of doc.parts) {
    for (const pin of placedPins(part)) {
      visit(pin.at).pins += 1;
    }
  }
  for (const wire of doc.wires) {
    visit(wire.from).ends += 1;
    visit(wire.to).ends += 1;
  }
  return points;
}

/** Whether a grid point lies on a wire, but not at one of its ends. */
export function isInside(wire: Wire, point: Point): boolean {
  const [dx, dy] = [wire.to[0] - wire.from[0], wire.to[1] - wire.from[1]];
  const [px, py] = [point[0] - wire.from[0], point[1] - wire.from[1]];
  const along = px * dx + py * dy;
  return px * dy === py * dx && along > 0 && along < dx * dx + dy * dy;
}

/** How far a point is from a wire, in grid units. */
export function distanceTo(wire: Wire, point: Point): number {
  const [dx, dy] = [wire.to[0] - wire.from[0], wire.to[1] - wire.from[1]];
  const length2 = dx * dx + dy * dy;
  const raw = ((point[0] - wire.from[0]) * dx + (point[1] - wire.from[1]) * dy) / length2;
  const along = Math.min(1, Math.max(0, raw));
  return Math.hypot(point[0] - wire.from[0] - along * dx, point[1] - wire.from[1] - along * dy);
}

/**
 * The grid point that a wire end dropped at `point` goes to: the nearest pin or wire end within `reach`, else the
 * nearest grid point inside a wire within `reach`, else the nearest grid point.
 */
export function snapped(doc: CircuitDocument, point: Point, reach: number): Point {
  const ends = [...endpoints(doc).values()].map(({ at }) => at);
  return nearest(ends, point, reach) ?? nearest(insidePoints(doc, point, reach), point, reach) ?? rounded(point);
}

/** The nearest grid point. */
export function rounded(point: Point): Point {
  return [Math.round(point[0]) + 0, Math.round(point[1]) + 0];
}

/** Cuts in two every wire that passes through a point where no pin or wire end lies, so that the point is an end. */
export function splitAt(doc: CircuitDocument, point: Point): void {
  if (endpoints(doc).has(pointKey(point))) {
    return;
  }
  for (const wire of doc.wires.filter((wire) => isInside(wire, point))) {
    doc.wires.push({ id: nextId("w", doc.wires), from: [point[0], point[1]], to: wire.to });
    wire.to = [point[0], point[1]];
  }
}

/** The points where three or more ends meet, and which are therefore drawn as dots. */
export function junctions(doc: CircuitDocument): Point[] {
  return [...endpoints(doc).values()].filter(({ pins, ends }) => pins + ends >= 3).map(({ at }) => at);
}

/** The pins and wire ends that nothing else touches. */
export function looseEnds(doc: CircuitDocument): Point[] {
  return [...endpoints(doc).values()].filter(({ pins, ends }) => pins + ends === 1).map(({ at }) => at);
}

function insidePoints(doc: CircuitDocument, point: Point, reach: number): Point[] {
  const near = doc.wires.filter((wire) => distanceTo(wire, point) <= reach);
  return near.flatMap((wire) => around(point, reach).filter((at) => isInside(wire, at)));
}

function around(point: Point, reach: number): Point[] {
  const points: Point[] = [];
  for (let x = Math.ceil(point[0] - reach); x <= point[0] + reach; x += 1) {
    for (let y = Math.ceil(point[1] - reach); y <= point[1] + reach; y += 1) {
      points.push([x + 0, y + 0]);
    }
  }
  return points;
}

function nearest(points: readonly Point[], to: Point, reach: number): Point | null {
  let best: Point | null = null;
  let least = reach;
  for (const point of points) {
    const distance = Math.hypot(point[0] - to[0], point[1] - to[1]);
    if (distance < least || (distance === least && best === null)) {
      [best, least] = [point, distance];
    }
  }
  return best;
}

/** Whether a wire of these ends is drawn already. */
export function hasWire(doc: CircuitDocument, a: Point, b: Point): boolean {
  return doc.wires.some(
    ({ from, to }) => (samePoint(from, a) && samePoint(to, b)) || (samePoint(from, b) && samePoint(to, a)),
  );
}
