import { pinsOf } from "../model/catalogue";
import type { Part, Point } from "../model/document";
import { boxOf, placed, turned } from "../model/place";
import { COLOURS } from "./colours";
import { trace } from "./path";
import { type Symbol, type Word, symbolOf } from "./symbols";
import { write } from "./text";
import { type View, toPixel } from "./view";

/** How a part is to be drawn. */
export interface Look {
  ink: string;
  /** The colour of the lead of a pin. */
  leadColour: (pin: string) => string;
  /** The level a logic part shows, if it is known. */
  level: "low" | "high" | null;
}

/** The width of lines at a zoom level, in pixels. */
export function lineWidth(view: View): number {
  return view.unit <= 8 ? 1 : view.unit >= 32 ? 3 : 2;
}

/** Half a pixel for odd line widths, so that straight lines fill whole pixels. */
export function shift(view: View): number {
  return (lineWidth(view) % 2) / 2;
}

/** Draws a part's symbol: leads first, the body over them, words last. */
export function drawPart(context: CanvasRenderingContext2D, part: Part, view: View, look: Look): void {
  const symbol = symbolOf(part);
  const place = (point: Point) => pixel(view, placed(point, part));
  context.lineWidth = lineWidth(view);
  context.lineCap = "round";
  context.lineJoin = "round";
  drawLeads(context, part, symbol, place, look);
  context.strokeStyle = look.ink;
  for (const { path, fill, upright } of symbol.shapes) {
    trace(context, path, upright === undefined ? place : around(place(upright), view));
    if (fill !== "none") {
      context.fillStyle = fill === "ink" ? look.ink : bodyFill(part, look);
      context.fill();
    }
    context.stroke();
  }
  drawWords(context, part, view, look);
}

/** Writes the words in a part's symbol; with a rim where a wire passes behind them. */
export function drawWords(
  context: CanvasRenderingContext2D,
  part: Part,
  view: View,
  look: Look,
  halo: string | null = null,
): void {
  for (const word of symbolOf(part).words) {
    drawWord(context, word, part, view, look, halo);
  }
  if (part.kind === "logicOutput") {
    const digit = look.level === null ? "?" : look.level === "high" ? "1" : "0";
    drawWord(context, { text: digit, at: [1.75, 0], size: "large" }, part, view, look, halo);
  }
}

/** Draws a light frame around a part's body, for hover and selection. */
export function drawHalo(context: CanvasRenderingContext2D, part: Part, view: View, fill: string, line: string): void {
  const [left, top, right, bottom] = boxOf(part);
  const [x, y] = toPixel(view, [left, top]);
  const margin = 2;
  context.beginPath();
  context.roundRect(
    x - margin + 0.5,
    y - margin + 0.5,
    (right - left) * view.unit + 2 * margin,
    (bottom - top) * view.unit + 2 * margin,
    4,
  );
  context.fillStyle = fill;
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = line;
  context.stroke();
}

/** Places points around a pixel, whatever way the part is turned. */
function around([x, y]: Point, view: View): (point: Point) => Point {
  return (point) => [x + point[0] * view.unit, y + point[1] * view.unit];
}

function pixel(view: View, point: Point): Point {
  const [x, y] = toPixel(view, point);
  return [x + shift(view), y + shift(view)];
}

function drawLeads(
  context: CanvasRenderingContext2D,
  part: Part,
  symbol: Symbol,
  place: (point: Point) => Point,
  look: Look,
): void {
  for (const pin of pinsOf(part)) {
    const [from, to] = [place(pin.at), place(symbol.leads[pin.name] ?? pin.at)];
    context.strokeStyle = look.leadColour(pin.name);
    context.beginPath();
    context.moveTo(from[0], from[1]);
    context.lineTo(to[0], to[1]);
    context.stroke();
  }
}

function bodyFill(part: Part, look: Look): string {
  const showsLevel = part.kind === "logicInput" || part.kind === "logicOutput";
  if (!showsLevel || look.level === null) {
    return COLOURS.body;
  }
  return look.level === "high" ? COLOURS.high : COLOURS.lowFill;
}

const SIDES: Readonly<Record<string, Point>> = { left: [1, 0], right: [-1, 0], top: [0, 1], bottom: [0, -1] };

function drawWord(
  context: CanvasRenderingContext2D,
  word: Word,
  part: Part,
  view: View,
  look: Look,
  halo: string | null,
): void {
  if (part.kind === "timer555" && word.size === "large" && view.unit < 12) {
    return;
  }
  const size =
    word.size === "large" ? Math.max(9, Math.round(view.unit * 0.85)) : Math.max(7, Math.round(view.unit * 0.62));
  // The word lies towards the inside of the body, seen from the side it stands at.
  const inward = turned(SIDES[word.side ?? ""] ?? [0, 0], part.turn, part.flip);
  const [x, y] = toPixel(view, placed(word.at, part));
  const at: Point = [x + inward[0] * 5, y + inward[1] * (size * 0.5 + 4) + 1];
  const align: CanvasTextAlign = inward[0] > 0 ? "left" : inward[0] < 0 ? "right" : "center";
  write(context, word.text, at, {
    size,
    weight: word.size === "large" ? 600 : 500,
    align,
    colour: wordColour(part, word, look),
    ...(halo === null ? {} : { halo }),
  });
  if (word.barred === true) {
    drawBar(context, word.text, at, align, size);
  }
}

function wordColour(part: Part, word: Word, look: Look): string {
  if ((part.kind === "logicInput" || part.kind === "logicOutput") && look.level !== null) {
    return look.level === "high" ? "#ffffff" : COLOURS.ink;
  }
  return word.size === "small" ? COLOURS.pinName : COLOURS.ink;
}

function drawBar(
  context: CanvasRenderingContext2D,
  text: string,
  at: Point,
  align: CanvasTextAlign,
  size: number,
): void {
  const width = Math.round(context.measureText(text).width);
  const left = align === "left" ? at[0] : align === "right" ? at[0] - width : at[0] - Math.round(width / 2);
  context.fillRect(Math.round(left), Math.round(at[1] - size * 0.6), width, 1);
}
