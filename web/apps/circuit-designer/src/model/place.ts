import { type Box, ownBoxOf, pinsOf } from "./catalogue";
import type { CircuitDocument, Part, Point, Turn } from "./document";

/** How a part lies on the grid. */
export type Placement = Pick<Part, "at" | "turn" | "flip">;

/** A pin on the drawing. */
export interface PlacedPin {
  part: string;
  pin: string;
  at: Point;
}

/** Mirrors a point of a part across the part's own axis if asked, then turns it clockwise. */
export function turned(point: Point, turn: Turn, flip: boolean): Point {
  const x = point[0];
  const y = flip ? -point[1] : point[1];
  const places: readonly Point[] = [
    [x, y],
    [-y, x],
    [-x, -y],
    [y, -x],
  ];
  const place = places[turn] ?? [x, y];
  return [place[0] + 0, place[1] + 0];
}

/** The place on the drawing of a point given relative to a part. */
export function placed(point: Point, placement: Placement): Point {
  const [x, y] = turned(point, placement.turn, placement.flip);
  return [placement.at[0] + x, placement.at[1] + y];
}

/** All pins of a part, on the drawing. */
export function placedPins(part: Part): PlacedPin[] {
  return pinsOf(part).map((pin) => ({ part: part.id, pin: pin.name, at: placed(pin.at, part) }));
}

/** The box around a part's body, on the drawing. */
export function boxOf(part: Part): Box {
  const [left, top, right, bottom] = ownBoxOf(part);
  const a = placed([left, top], part);
  const b = placed([right, bottom], part);
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[0], b[0]), Math.max(a[1], b[1])];
}

/** The middle of a box. */
export function middleOf(box: Box): Point {
  return [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
}

/** The smallest box around everything drawn, or null for an empty drawing. */
export function extentOf(doc: CircuitDocument): Box | null {
  const boxes: Box[] = doc.parts.map(boxOf);
  for (const { from, to } of doc.wires) {
    boxes.push([
      Math.min(from[0], to[0]),
      Math.min(from[1], to[1]),
      Math.max(from[0], to[0]),
      Math.max(from[1], to[1]),
    ]);
  }
  return boxes.reduce<Box | null>((all, box) => (all === null ? box : around(all, box)), null);
}

function around(a: Box, b: Box): Box {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}
