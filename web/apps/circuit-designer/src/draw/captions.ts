import type { CircuitDocument, Part } from "../model/document";
import { within } from "../model/crossings";
import { boxOf } from "../model/place";
import { formatValue } from "../model/values";
import { type Line, placesOf } from "./captionplaces";
import { COLOURS } from "./colours";
import type { Frame } from "./layout";
import { type Style, widthOf, write } from "./text";
import { type View, toGrid, toPixel } from "./view";

/** What is written beside a part: its value, such as `2.2 kΩ`, or nothing. */
export function valueText(part: Part): string {
  const value = (key: string, unit: string) => formatValue(Number(part.settings[key]), unit);
  switch (part.kind) {
    case "resistor":
      return value("resistance", "Ω");
    case "capacitor":
      return value("capacitance", "F");
    case "inductor":
      return value("inductance", "H");
    case "dcSource":
    case "dcRail":
      return value("voltage", "V");
    case "acSource":
    case "acRail":
      return `${value("amplitude", "V")}, ${value("frequency", "Hz")}`;
    case "clock":
      return value("frequency", "Hz");
    default:
      return "";
  }
}

/** The size of captions by the pixels per grid unit. */
const CAPTION_SIZES: Readonly<Record<number, number>> = { 8: 10, 12: 11, 16: 12, 24: 13, 32: 14 };

/** How much smaller than its box a body counts on each side, in grid units. */
const INSET = 0.3;

/** Tells how wide a text is in pixels. */
export type Measure = (text: string, style: Style) => number;

/** Writes every part's label and value beside its body. */
export function drawCaptions(context: CanvasRenderingContext2D, doc: CircuitDocument, view: View, area: Frame): void {
  for (const line of captionsOf(doc, view, area, (text, style) => widthOf(context, text, style))) {
    write(context, line.text, line.at, { ...line.style, halo: COLOURS.paper });
  }
}

/**
 * Where the labels and values of all parts are written. Each part has a usual place and others to go to: the first is taken
 * that is in sight and on no other part, no other caption and, if it can be had, no wire.
 */
export function captionsOf(doc: CircuitDocument, view: View, area: Frame, measure: Measure): Line[] {
  const taken: Frame[] = [];
  const lines: Line[] = [];
  for (const part of doc.parts) {
    const words = wordsOf(part, CAPTION_SIZES[view.unit] ?? 12);
    const places = words.length === 0 ? [] : placesOf(part, view, words);
    const costs = places.map((place) => {
      const frames = place.map((line) => frameOf(line, measure));
      return { place, frames, cost: frames.reduce((sum, frame) => sum + costOf(frame, part), 0) };
    });
    const best = costs.toSorted((a, b) => a.cost - b.cost)[0];
    lines.push(...(best?.place ?? []));
    taken.push(...(best?.frames ?? []));
  }
  return lines;

  function costOf(frame: Frame, part: Part): number {
    const isOut = !holds(area, frame) && overlaps(area, bodyOf(part, view));
    const others = doc.parts.filter((other) => other !== part && overlaps(bodyOf(other, view), frame));
    const captions = taken.filter((other) => overlaps(other, frame));
    const wires = doc.wires.filter((wire) => within(wire, gridBox(frame, view)) !== null);
    return (isOut ? 8 : 0) + others.length * 8 + captions.length * 4 + wires.length;
  }
}

function wordsOf(part: Part, size: number): { text: string; style: Style }[] {
  const label: Style = { size, weight: 600, colour: COLOURS.label };
  const value: Style = { size, colour: COLOURS.value };
  return [
    { text: String(part.settings["label"] ?? ""), style: label },
    { text: valueText(part), style: value },
  ].filter(({ text }) => text !== "");
}

function frameOf({ text, at, style }: Line, measure: Measure): Frame {
  const [width, height] = [Math.ceil(measure(text, style)), style.size + 2];
  const left = style.align === "center" ? at[0] - width / 2 : style.align === "right" ? at[0] - width : at[0];
  const top = style.baseline === "bottom" ? at[1] - height : style.baseline === "top" ? at[1] : at[1] - height / 2;
  return [left, top, width, height];
}

/** The box of a part in pixels, a little smaller than it is: symbols do not fill their corners. */
function bodyOf(part: Part, view: View): Frame {
  const [left, top, right, bottom] = boxOf(part);
  const [x, y] = toPixel(view, [left + INSET, top + INSET]);
  return [x, y, (right - left - 2 * INSET) * view.unit, (bottom - top - 2 * INSET) * view.unit];
}

function gridBox([x, y, width, height]: Frame, view: View): readonly [number, number, number, number] {
  const [left, top] = toGrid(view, [x + 1, y + 1]);
  const [right, bottom] = toGrid(view, [x + width - 1, y + height - 1]);
  return [left, top, right, bottom];
}

function holds([x, y, width, height]: Frame, inner: Frame): boolean {
  return inner[0] >= x && inner[1] >= y && inner[0] + inner[2] <= x + width && inner[1] + inner[3] <= y + height;
}

function overlaps(a: Frame, b: Frame): boolean {
  return a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3];
}
