import type { CircuitDocument, Part, Point } from "../model/document";
import { distanceTo } from "../model/joints";
import { boxOf, placedPins } from "../model/place";

/** What lies under the pointer. */
export type Target =
  | { type: "pin"; part: string; pin: string; at: Point }
  | { type: "end"; wire: string; at: Point }
  | { type: "part"; part: string }
  | { type: "wire"; wire: string };

/** What lies at a point of the grid. Pins come before wire ends, those before bodies, and wires last. */
export function targetAt(doc: CircuitDocument, point: Point, unit: number): Target | null {
  return (
    pinTarget(doc, point, unit) ?? endTarget(doc, point, unit) ?? partTarget(doc, point) ?? wireTarget(doc, point, unit)
  );
}

/** Whether two targets are the same thing. */
export function sameTarget(a: Target | null, b: Target | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The id of the part or wire that a target belongs to. */
export function idOf(target: Target): string {
  return "part" in target ? target.part : target.wire;
}

/** How near the pointer must be to a pin or wire end, in grid units. */
function reachOfEnds(unit: number): number {
  return Math.min(9, unit * 0.55) / unit;
}

function pinTarget(doc: CircuitDocument, point: Point, unit: number): Target | null {
  const reach = reachOfEnds(unit);
  const pins = doc.parts.flatMap(placedPins).filter(({ at }) => distance(at, point) <= reach);
  const nearest = pins.toSorted((a, b) => distance(a.at, point) - distance(b.at, point))[0];
  return nearest === undefined ? null : { type: "pin", ...nearest };
}

function endTarget(doc: CircuitDocument, point: Point, unit: number): Target | null {
  const reach = reachOfEnds(unit);
  for (const wire of doc.wires) {
    const at = [wire.from, wire.to].find((end) => distance(end, point) <= reach);
    if (at !== undefined) {
      return { type: "end", wire: wire.id, at };
    }
  }
  return null;
}

function partTarget(doc: CircuitDocument, point: Point): Target | null {
  const found = doc.parts.toReversed().find((part) => isWithin(part, point));
  return found === undefined ? null : { type: "part", part: found.id };
}

function wireTarget(doc: CircuitDocument, point: Point, unit: number): Target | null {
  const reach = Math.min(6, unit * 0.45) / unit;
  const near = doc.wires.filter((wire) => distanceTo(wire, point) <= reach);
  const nearest = near.toSorted((a, b) => distanceTo(a, point) - distanceTo(b, point))[0];
  return nearest === undefined ? null : { type: "wire", wire: nearest.id };
}

function isWithin(part: Part, [x, y]: Point): boolean {
  const [left, top, right, bottom] = boxOf(part);
  return x >= left && x <= right && y >= top && y <= bottom;
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}
