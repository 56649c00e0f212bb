import { isTwoTerminal } from "../model/catalogue";
import type { Part, Point } from "../model/document";
import { boxOf, middleOf, placed, placedPins } from "../model/place";
import type { Style } from "./text";
import { type View, toPixel } from "./view";

/** A word of a caption with its style. */
export interface CaptionWord {
  text: string;
  style: Style;
}

/** A word at its place. */
export interface Line extends CaptionWord {
  at: Point;
}

type Words = readonly CaptionWord[];
type Place = Line[];

interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
  middle: Point;
}

/** All places for a part's words, on sides where it has no pins; the usual one comes first. */
export function placesOf(part: Part, view: View, words: Words): Place[] {
  const box = boxOf(part);
  const [left, top] = toPixel(view, [box[0], box[1]]);
  const [right, bottom] = toPixel(view, [box[2], box[3]]);
  const edges: Edges = { left, top, right, bottom, middle: toPixel(view, middleOf(box)) };
  if (placedPins(part).length === 1) return besideSinglePin(part, words, edges);
  switch (part.kind) {
    case "opamp":
      return [amplifier(part, view, words, edges, -1.75), amplifier(part, view, words, edges, 1.75)];
    case "timer555":
      return [chip(view, words, edges)];
    case "npn":
    case "pnp":
      return transistor(part, words, edges);
    default:
      return alongside(part, words, edges);
  }
}

/** Above and below a lying part, or at its sides if it stands. */
function alongside(part: Part, words: Words, { left, top, right, bottom, middle }: Edges): Place[] {
  const isLying = part.turn % 2 === 0;
  const isSlim = isTwoTerminal(part.kind);
  if (!isLying) {
    const gap = isSlim ? 5 : 6;
    return [column(words, [right + gap, middle[1]], "left"), column(words, [left - gap, middle[1]], "right")];
  }
  const over = stacked(words, [middle[0], top - 3], "above");
  const under = stacked(words, [middle[0], bottom + 4], "below");
  const both = isSlim && words.length > 1 ? [aroundBody(words, middle[0], top - 3, bottom + 4)] : [];
  return [...both, over, under];
}

function aroundBody(words: Words, x: number, above: number, below: number): Place {
  return words.map(({ text, style }, index) => {
    const baseline = index === 0 ? "bottom" : "top";
    return { text, at: [x, index === 0 ? above : below], style: { ...style, align: "center", baseline } };
  });
}

/** Words one below the other, the last of them standing on a point or the first hanging from it. */
function stacked(words: Words, [x, y]: Point, side: "above" | "below"): Place {
  return words.map(({ text, style }, index) => {
    const step = style.size + 3;
    const at: Point = side === "above" ? [x, y - (words.length - 1 - index) * step] : [x, y + index * step];
    return { text, at, style: { ...style, align: "center", baseline: side === "above" ? "bottom" : "top" } };
  });
}

/** Words one below the other, around the height of a point. */
function column(words: Words, at: Point, align: CanvasTextAlign): Place {
  return words.map(({ text, style }, index) => {
    const drop = (index - (words.length - 1) / 2) * (style.size + 3);
    return { text, at: [at[0], at[1] + drop], style: { ...style, align } };
  });
}

function amplifier(part: Part, view: View, words: Words, { middle }: Edges, y: number): Place {
  const at = toPixel(view, placed([3.1, y], part));
  return column(words, at, at[0] >= middle[0] ? "left" : "right");
}

function chip(view: View, words: Words, { left, top, middle }: Edges): Place {
  return view.unit < 12
    ? column(words, [left + view.unit + 2, top], "left")
    : column(words, [middle[0], middle[1] + view.unit * 0.6], "center");
}

function transistor(part: Part, words: Words, { left, right, top, bottom, middle }: Edges): Place[] {
  const beside = (side: "left" | "right") =>
    side === "right" ? column(words, [right + 5, middle[1]], "left") : column(words, [left - 5, middle[1]], "right");
  if (part.turn === 1) return [beside("right"), beside("left"), stacked(words, [middle[0], bottom + 4], "below")];
  if (part.turn === 3) return [beside("right"), beside("left"), stacked(words, [middle[0], top - 3], "above")];
  const corner: Point = part.turn === 2 ? [right, top - 4] : [left, top - 4];
  return [beside(part.turn === 2 ? "left" : "right"), column(words, corner, part.turn === 2 ? "right" : "left")];
}

/** Beyond the body, on the side that looks away from the only pin; then above, below or at the other sides. */
function besideSinglePin(part: Part, words: Words, { left, top, right, bottom, middle }: Edges): Place[] {
  const pin = placedPins(part)[0]?.at ?? part.at;
  const [x, y] = middleOf(boxOf(part));
  const atLeft = column(words, [left - 6, middle[1]], "right");
  const atRight = column(words, [right + 6, middle[1]], "left");
  const over = stacked(words, [middle[0], top - 3], "above");
  const under = stacked(words, [middle[0], bottom + 4], "below");
  if (x < pin[0]) return [atLeft, over, under];
  if (x > pin[0]) return [atRight, over, under];
  if (part.kind === "acRail" || part.kind === "ground") return [atRight, atLeft];
  // A rail's words stand on its bar, inside the box that is kept free for them.
  const inset = part.kind === "dcRail" ? Math.round((bottom - top) / 2) : 0;
  const beyond =
    y < pin[1]
      ? stacked(words, [middle[0], top + inset - 3], "above")
      : stacked(words, [middle[0], bottom - inset + 4], "below");
  return [beyond, atRight, atLeft];
}
