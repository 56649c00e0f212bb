import type { Point } from "../model/document";
import { shift } from "./parts";
import { type View, toPixel } from "./view";

/** How a line is drawn. */
export interface Stroke {
  colour: string;
  width: number;
  cap?: CanvasLineCap;
}

/** Draws a straight line between two points of the grid. */
export function drawLine(
  context: CanvasRenderingContext2D,
  view: View,
  [from, to]: readonly [Point, Point],
  { colour, width, cap = "round" }: Stroke,
): void {
  const [a, b] = [toPixel(view, from), toPixel(view, to)];
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineCap = cap;
  context.beginPath();
  context.moveTo(a[0] + shift(view), a[1] + shift(view));
  context.lineTo(b[0] + shift(view), b[1] + shift(view));
  context.stroke();
}

/** Draws a disc around a pixel. */
export function drawDisc(
  context: CanvasRenderingContext2D,
  at: Point,
  radius: number,
  fill: string,
  line: string | null,
): void {
  context.beginPath();
  context.arc(at[0], at[1], radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
  if (line !== null) {
    context.strokeStyle = line;
    context.lineWidth = 1.5;
    context.stroke();
  }
}
