import type { Box } from "./catalogue";
import { type CircuitDocument, type Point, type Wire, samePoint } from "./document";
import { distanceTo, endpoints } from "./joints";
import { boxOf, placedPins } from "./place";

/** The stretch of a wire that lies over a part's body. */
export interface Crossing {
  wire: Wire;
  part: string;
  from: Point;
  to: Point;
  /** Whether the wire ends at a pin of the part. */
  isJoined: boolean;
}

/** How much of a body's edge does not count, in grid units: a wire along the edge crosses nothing. */
const EDGE = 0.1;

/** All stretches of wires that would be hidden by bodies. */
export function crossings(doc: CircuitDocument): Crossing[] {
  return doc.parts.flatMap((part) => {
    const box = boxOf(part);
    const inner: Box = [box[0] + EDGE, box[1] + EDGE, box[2] - EDGE, box[3] - EDGE];
    const pins = placedPins(part);
    return doc.wires.flatMap((wire): Crossing[] => {
      const stretch = within(wire, inner);
      const isJoined = pins.some(({ at }) => samePoint(at, wire.from) || samePoint(at, wire.to));
      return stretch === null ? [] : [{ wire, part: part.id, from: stretch[0], to: stretch[1], isJoined }];
    });
  });
}

/** The ends of other things that a wire passes so closely that it seems to be joined to them. `reach` is in grid units. */
export function passedEnds(doc: CircuitDocument, reach: number): Point[] {
  return [...endpoints(doc).values()]
    .map(({ at }) => at)
    .filter((at) =>
      doc.wires.some((wire) => !samePoint(wire.from, at) && !samePoint(wire.to, at) && distanceTo(wire, at) <= reach),
    );
}

/** The stretch of a wire inside a box, or null where it only touches it. */
export function within({ from, to }: Pick<Wire, "from" | "to">, box: Box): [Point, Point] | null {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  let [start, end] = [0, 1];
  for (const [delta, least, most] of [
    [dx, box[0] - from[0], box[2] - from[0]],
    [dy, box[1] - from[1], box[3] - from[1]],
  ] as const) {
    if (delta === 0) {
      if (least > 0 || most < 0) return null;
      continue;
    }
    const [a, b] = delta > 0 ? [least / delta, most / delta] : [most / delta, least / delta];
    [start, end] = [Math.max(start, a), Math.min(end, b)];
  }
  const at = (share: number): Point => [from[0] + share * dx, from[1] + share * dy];
  return start < end ? [at(start), at(end)] : null;
}
