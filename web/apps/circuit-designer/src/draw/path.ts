import type { Point } from "../model/document";

/** One stroke of a path: a letter (M, L, Q, C or Z) and the points it needs. */
export interface Stroke {
  letter: "M" | "L" | "Q" | "C" | "Z";
  points: Point[];
}

const parsed = new Map<string, Stroke[]>();

/** Reads a path as SVG writes it, with absolute M, L, Q, C and Z only. */
export function strokesOf(path: string): readonly Stroke[] {
  const known = parsed.get(path);
  if (known !== undefined) {
    return known;
  }
  const strokes = [...path.matchAll(/([MLQCZ])([^MLQCZ]*)/gu)].map((match): Stroke => {
    const numbers = (match[2] ?? "")
      .trim()
      .split(/[\s,]+/u)
      .filter((text) => text !== "")
      .map(Number);
    const points = numbers.flatMap((x, index): Point[] => (index % 2 === 0 ? [[x, numbers[index + 1] ?? 0]] : []));
    return { letter: match[1] as Stroke["letter"], points };
  });
  parsed.set(path, strokes);
  return strokes;
}

/** The path of a circle. */
export function circle(x: number, y: number, radius: number): string {
  const bend = radius * 0.5523;
  return [
    `M ${x + radius} ${y}`,
    `C ${x + radius} ${y + bend} ${x + bend} ${y + radius} ${x} ${y + radius}`,
    `C ${x - bend} ${y + radius} ${x - radius} ${y + bend} ${x - radius} ${y}`,
    `C ${x - radius} ${y - bend} ${x - bend} ${y - radius} ${x} ${y - radius}`,
    `C ${x + bend} ${y - radius} ${x + radius} ${y - bend} ${x + radius} ${y} Z`,
  ].join(" ");
}

/** The path of a rectangle. */
export function rectangle(left: number, top: number, right: number, bottom: number): string {
  return `M ${left} ${top} L ${right} ${top} L ${right} ${bottom} L ${left} ${bottom} Z`;
}

/** Traces a path on a canvas, each point put where `place` says. */
export function trace(context: CanvasRenderingContext2D, path: string, place: (point: Point) => Point): void {
  context.beginPath();
  for (const { letter, points } of strokesOf(path)) {
    const flat = points.flatMap((point) => [...place(point)]);
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = flat;
    if (letter === "M") context.moveTo(a, b);
    if (letter === "L") context.lineTo(a, b);
    if (letter === "Q") context.quadraticCurveTo(a, b, c, d);
    if (letter === "C") context.bezierCurveTo(a, b, c, d, e, f);
    if (letter === "Z") context.closePath();
  }
}
