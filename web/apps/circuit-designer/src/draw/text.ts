import type { Point } from "../model/document";
import { COLOURS } from "./colours";

/** The cell of one character of the read-out, in pixels. Each glyph is drawn by itself, so it always looks the same. */
export const CELL = { width: 9, height: 18, baseline: 14 } as const;

const READOUT_FONT = '14px "JetBrains Mono"';

/** Writes text that can be read off the screen: one glyph per cell, from the left top corner, at whole pixels. */
export function writeCells(context: CanvasRenderingContext2D, text: string, corner: Point): void {
  context.fillStyle = COLOURS.readoutPaper;
  context.fillRect(corner[0], corner[1], text.length * CELL.width, CELL.height);
  context.fillStyle = COLOURS.readout;
  context.font = READOUT_FONT;
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  [...text].forEach((glyph, index) => {
    context.fillText(glyph, corner[0] + index * CELL.width, corner[1] + CELL.baseline);
  });
}

/** How words of the drawing look. */
export interface Style {
  size: number;
  weight?: 400 | 500 | 600;
  colour?: string;
  align?: CanvasTextAlign;
  baseline?: CanvasTextBaseline;
  /** The colour of a thin rim around the letters, so that lines behind them do not strike them through. */
  halo?: string;
}

/** Writes a word of the drawing. */
export function write(context: CanvasRenderingContext2D, text: string, at: Point, style: Style): void {
  const [x, y] = [Math.round(at[0]), Math.round(at[1])];
  context.font = fontOf(style);
  context.textAlign = style.align ?? "left";
  context.textBaseline = style.baseline ?? "middle";
  if (style.halo !== undefined) {
    context.strokeStyle = style.halo;
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.strokeText(text, x, y);
  }
  context.fillStyle = style.colour ?? COLOURS.label;
  context.fillText(text, x, y);
}

/** The width of a word in pixels. */
export function widthOf(context: CanvasRenderingContext2D, text: string, style: Style): number {
  context.font = fontOf(style);
  return context.measureText(text).width;
}

function fontOf(style: Style): string {
  return `${style.weight ?? 400} ${style.size}px "Inter"`;
}

/** The longest beginning of a text that fits into a width, with an ellipsis where something is cut off. */
export function cut(context: CanvasRenderingContext2D, text: string, style: Style, width: number): string {
  context.font = fontOf(style);
  if (context.measureText(text).width <= width) {
    return text;
  }
  let kept = text;
  while (kept.length > 1 && context.measureText(`${kept}…`).width > width) {
    kept = kept.slice(0, -1);
  }
  return `${kept}…`;
}
