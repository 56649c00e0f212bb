import type { Answer, ScopeAnswer } from "../editor/answer";
import { measureText } from "../editor/readings";
import type { CircuitDocument, Probe } from "../model/document";
import { formatValue } from "../model/values";
import { type Bounds, type Scale, scaleOf } from "./scale";
import { COLOURS, PROBE_COLOURS } from "./colours";
import { type Frame, type Layout, type ScopeFrame, isNarrow } from "./layout";
import { drawPanel } from "./readout";
import { cut, write, writeCells } from "./text";

const HEAD = 30;
/** The lines of the grid over the height of a plot, its lower edge being the first. */
const LINES = 8;

/** Draws the dock with all scopes in it. */
export function drawScopes(
  context: CanvasRenderingContext2D,
  doc: CircuitDocument,
  layout: Layout,
  answer: Answer | null,
  windowOf: (id: string) => number,
): void {
  if (layout.scopes.length === 0) {
    return;
  }
  const top = layout.drawing[3];
  context.fillStyle = COLOURS.dock;
  context.fillRect(0, top, layout.drawing[2], layout.height - top);
  context.fillStyle = COLOURS.panelLine;
  context.fillRect(0, top, layout.drawing[2], 1);
  layout.scopes.forEach((place, index) => {
    const scope = doc.scopes[index];
    if (scope !== undefined) {
      const shown = answer?.scopes.find(({ id }) => id === scope.id);
      const number = isNarrow(place.frame[2]) ? `${index + 1}` : `Scope ${index + 1}`;
      drawScope(context, place, shown, `${number}: ${probeWord(doc, scope.probe)}`, windowOf(scope.id), index);
    }
  });
}

/** The place a scope looks at, in words. */
export function probeWord(doc: CircuitDocument, probe: Probe): string {
  if ("wire" in probe) {
    return `wire ${probe.wire}`;
  }
  const part = doc.parts.find(({ id }) => id === probe.part);
  const label = String(part?.settings["label"] ?? "");
  return `${label === "" ? probe.part : label} ${probe.pin}`;
}

function drawScope(
  context: CanvasRenderingContext2D,
  place: ScopeFrame,
  shown: ScopeAnswer | undefined,
  title: string,
  window: number,
  index: number,
): void {
  const colour = PROBE_COLOURS[index % PROBE_COLOURS.length] ?? COLOURS.trace;
  drawPanel(context, place.frame, HEAD);
  drawHead(context, place, title, window, colour);
  drawGrid(context, place.plot);
  if (place.measures.length > 0) {
    context.fillStyle = COLOURS.panelLine;
    context.fillRect(place.plot[0] - 1, place.plot[1], 1, place.plot[3]);
  }
  const bounds = shown === undefined ? null : boundsOf(shown);
  if (shown !== undefined && bounds !== null) {
    const scale = scaleOf(bounds, LINES);
    drawTrace(context, place.plot, shown, [scale.bottom, scale.bottom + LINES * scale.step], colour);
    drawScale(context, place.plot, scale);
  }
  for (const { measure, at } of place.measures) {
    writeCells(context, measureText(measure, shown), at);
  }
}

function drawHead(
  context: CanvasRenderingContext2D,
  place: ScopeFrame,
  title: string,
  window: number,
  colour: string,
): void {
  const [x, y, width] = place.frame;
  const middle = y + HEAD / 2;
  context.fillStyle = colour;
  context.fillRect(x + 10, middle - 4, 8, 8);
  const style = { size: 12, weight: 600 } as const;
  write(context, cut(context, title, style, width - (isNarrow(width) ? 170 : 208)), [x + 26, middle + 1], style);
  const between = (place.shorter[0] + place.shorter[2] + place.longer[0]) / 2;
  const time = `${formatValue(window, "s")}${isNarrow(width) ? "" : " wide"}`;
  write(context, time, [between, middle + 1], { size: 12, colour: COLOURS.value, align: "center" });
  drawSign(context, place.shorter, "minus");
  drawSign(context, place.longer, "plus");
  drawSign(context, place.menu, "dots");
}

function drawSign(
  context: CanvasRenderingContext2D,
  [x, y, width, height]: Frame,
  sign: "minus" | "plus" | "dots",
): void {
  const [cx, cy] = [x + width / 2, y + height / 2];
  context.strokeStyle = COLOURS.panelLine;
  context.lineWidth = 1;
  context.strokeRect(x + 2.5, y + 2.5, width - 5, height - 5);
  context.fillStyle = COLOURS.ink;
  if (sign === "dots") {
    [-5, -1, 3].forEach((offset) => context.fillRect(cx - 1, cy + offset, 2, 2));
    return;
  }
  context.fillRect(cx - 4, cy - 1, 8, 2);
  if (sign === "plus") {
    context.fillRect(cx - 1, cy - 4, 2, 8);
  }
}

function drawGrid(context: CanvasRenderingContext2D, [x, y, width, height]: Frame): void {
  context.fillStyle = COLOURS.gridLine;
  for (let column = 1; column < 10; column += 1) {
    context.fillRect(x + Math.round((width * column) / 10), y, 1, height);
  }
  for (let line = 1; line < LINES; line += 1) {
    context.fillRect(x, y + Math.round((height * line) / LINES), width, 1);
  }
}

/** The least and the greatest voltage of a trace, or null when there is no trace yet. */
function boundsOf({ low, high }: ScopeAnswer): Bounds | null {
  const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null);
  const [lows, highs] = [known(low), known(high)];
  return lows.length === 0 ? null : [Math.min(...lows), Math.max(...highs)];
}

function drawTrace(
  context: CanvasRenderingContext2D,
  plot: Frame,
  shown: ScopeAnswer,
  [bottom, top]: Bounds,
  colour: string,
): void {
  const [x, y, width, height] = plot;
  const row = (volts: number) => y + Math.round(((top - volts) / (top - bottom)) * (height - 1));
  if (bottom < 0 && top > 0) {
    context.fillStyle = COLOURS.axis;
    context.fillRect(x, row(0), width, 1);
  }
  context.fillStyle = colour;
  const step = width / shown.low.length;
  let before: Bounds | null = null;
  for (const [index, low] of shown.low.entries()) {
    const high = shown.high[index] ?? null;
    const now: Bounds | null = low === null || high === null ? null : [row(high), row(low)];
    if (now !== null) {
      const [from, to]: Bounds = before === null ? now : [Math.min(now[0], before[1]), Math.max(now[1], before[0])];
      const left = x + Math.round(index * step);
      const right = x + Math.round((index + 1) * step);
      context.fillRect(left, from - 1, Math.max(1, right - left), Math.max(2, to - from + 2));
    }
    before = now;
  }
}

/** Writes how many volts a line of the grid is apart from the next, and the voltage of one line. */
function drawScale(context: CanvasRenderingContext2D, [x, y, width, height]: Frame, scale: Scale): void {
  const style = { size: 11, colour: COLOURS.value, align: "right", halo: COLOURS.panel } as const;
  write(context, `${formatValue(scale.step, "V")} per line`, [x + width - 6, y + 10], style);
  const line = y + Math.round((height * (LINES - scale.line)) / LINES);
  write(context, formatValue(scale.bottom + scale.line * scale.step, "V"), [x + width - 6, line - 8], style);
}
