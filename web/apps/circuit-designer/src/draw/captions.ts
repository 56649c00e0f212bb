import { isTwoTerminal } from "../model/catalogue";
import type { Part, Point } from "../model/document";
import { boxOf, middleOf, placed, placedPins } from "../model/place";
import { formatValue } from "../model/values";
import { COLOURS } from "./colours";
import { type Style, write } from "./text";
import { type View, toPixel } from "./view";

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

/** Writes a part's label and value beside its body, on sides where it has no pins. */
export function drawCaption(context: CanvasRenderingContext2D, part: Part, view: View): void {
  const size = CAPTION_SIZES[view.unit] ?? 12;
  const label: Style = { size, weight: 600, colour: COLOURS.label };
  const value: Style = { size, colour: COLOURS.value };
  const words = [
    { text: String(part.settings["label"] ?? ""), style: label },
    { text: valueText(part), style: value },
  ].filter(({ text }) => text !== "");
  if (words.length > 0) {
    placeWords(context, part, view, words);
  }
}

interface Line {
  text: string;
  style: Style;
}

function placeWords(context: CanvasRenderingContext2D, part: Part, view: View, words: readonly Line[]): void {
  const box = boxOf(part);
  const [left, top] = toPixel(view, [box[0], box[1]]);
  const [right, bottom] = toPixel(view, [box[2], box[3]]);
  const [middleX, middleY] = toPixel(view, middleOf(box));
  const isLying = part.turn % 2 === 0;
  if (isTwoTerminal(part.kind)) {
    return isLying
      ? aboveAndBelow(context, words, middleX, top - 3, bottom + 4)
      : column(context, words, [right + 5, middleY], "left");
  }
  if (placedPins(part).length === 1) {
    return besideSinglePin(context, part, words, { left, top, right, bottom, middle: [middleX, middleY] });
  }
  if (part.kind === "opamp") {
    const [x, y] = toPixel(view, placed([3.1, -1.75], part));
    return column(context, words, [x, y], x >= middleX ? "left" : "right");
  }
  if (part.kind === "timer555") {
    const isSmall = view.unit < 12;
    const at: Point = isSmall ? [left + view.unit + 2, top] : [middleX, middleY + view.unit * 0.6];
    return column(context, words, at, isSmall ? "left" : "center");
  }
  if (part.kind === "npn" || part.kind === "pnp") {
    const isMirrored = part.turn === 2;
    return column(context, words, [isMirrored ? left - 5 : right + 5, middleY], isMirrored ? "right" : "left");
  }
  column(context, words, isLying ? [middleX, top - 10] : [right + 6, middleY], isLying ? "center" : "left");
}

function aboveAndBelow(
  context: CanvasRenderingContext2D,
  words: readonly Line[],
  x: number,
  above: number,
  below: number,
): void {
  words.forEach(({ text, style }, index) => {
    const isFirst = index === 0;
    write(context, text, [x, isFirst ? above : below], {
      ...style,
      align: "center",
      baseline: isFirst ? "bottom" : "top",
    });
  });
}

function column(context: CanvasRenderingContext2D, words: readonly Line[], at: Point, align: CanvasTextAlign): void {
  words.forEach(({ text, style }, index) => {
    const drop = (index - (words.length - 1) / 2) * (style.size + 3);
    write(context, text, [at[0], at[1] + drop], { ...style, align });
  });
}

interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
  middle: Point;
}

/** Beyond the body, on the side that looks away from the only pin. */
function besideSinglePin(context: CanvasRenderingContext2D, part: Part, words: readonly Line[], edges: Edges): void {
  const pin = placedPins(part)[0]?.at ?? part.at;
  const [x, y] = middleOf(boxOf(part));
  if (x < pin[0]) return column(context, words, [edges.left - 6, edges.middle[1]], "right");
  if (x > pin[0]) return column(context, words, [edges.right + 6, edges.middle[1]], "left");
  if (part.kind === "acRail" || part.kind === "ground")
    return column(context, words, [edges.right + 6, edges.middle[1]], "left");
  const height = ((words[0]?.style.size ?? 12) + 3) * words.length;
  // A rail's words stand on its bar, inside the box that is kept free for them.
  const unit = (edges.bottom - edges.top) / 3;
  const inset = part.kind === "dcRail" ? Math.round(unit * 1.5) : 0;
  const beyond = y < pin[1] ? edges.top - height / 2 + inset : edges.bottom + height / 2 - inset;
  column(context, words, [edges.middle[0], beyond], "center");
}
