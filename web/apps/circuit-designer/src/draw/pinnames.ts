import type { Part, Point } from "../model/document";
import { boxOf, middleOf, placedPins } from "../model/place";
import { COLOURS } from "./colours";
import { write } from "./text";
import { type View, toPixel } from "./view";

/** The kinds whose symbols show the names of their pins already. */
const NAMED = new Set(["timer555", "jkFlipFlop"]);

/** Writes the names of a part's pins beside them, outside the body, as sentences about the part call them. */
export function drawPinNames(context: CanvasRenderingContext2D, part: Part, view: View): void {
  const pins = placedPins(part);
  if (NAMED.has(part.kind) || pins.length < 2) {
    return;
  }
  const box = boxOf(part);
  const middle = middleOf(box);
  for (const { pin, at } of pins) {
    const [x, y] = toPixel(view, at);
    const isAside = at[0] === box[0] || at[0] === box[2];
    const side = isAside ? Math.sign(at[0] - middle[0]) : 1;
    const down = isAside ? -8 : 8 * Math.sign(at[1] - middle[1]);
    const place: Point = [x + side * 5, y + down];
    const align = side < 0 ? "right" : "left";
    write(context, pin, place, { size: 11, weight: 500, align, colour: COLOURS.select, halo: COLOURS.paper });
  }
}
