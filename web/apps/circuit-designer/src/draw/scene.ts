import { type Answer, levelOf, pinVolts, probePlace, voltsAt } from "../editor/answer";
import { readingOf } from "../editor/readings";
import type { EditorState } from "../editor/state";
import { idOf } from "../editor/target";
import { defaultSettings, kindOf } from "../model/catalogue";
import { type CircuitDocument, type Part, type Point, pointKey } from "../model/document";
import type { Ghost } from "../model/edits";
import { endpoints, isInside, junctions, looseEnds } from "../model/joints";
import { placedPins } from "../model/place";
import { drawCaption } from "./captions";
import { COLOURS, PROBE_COLOURS, voltageColour } from "./colours";
import { drawGrid } from "./grid";
import { layoutOf } from "./layout";
import { drawHalo, drawPart, lineWidth, shift } from "./parts";
import { drawReadout } from "./readout";
import { drawScopes } from "./scopes";
import { type View, toPixel } from "./view";

/** Everything one picture depends on. */
export interface Scene {
  doc: CircuitDocument;
  state: EditorState;
  answer: Answer | null;
  windowOf: (id: string) => number;
}

/** Draws the whole canvas: grid, circuit, marks of the pointer, information panel and scopes. */
export function drawScene(context: CanvasRenderingContext2D, scene: Scene): void {
  const { doc, state, answer } = scene;
  const layout = layoutOf(doc, state.size);
  context.fontKerning = "none";
  drawGrid(context, state.view, layout.drawing);
  context.save();
  context.beginPath();
  context.rect(...layout.drawing);
  context.clip();
  drawHalos(context, scene);
  drawWires(context, scene);
  for (const part of doc.parts) {
    drawPart(context, part, state.view, lookOf(part, scene));
  }
  drawJoints(context, doc, state.view);
  for (const part of doc.parts) {
    drawCaption(context, part, state.view);
  }
  drawProbes(context, scene);
  drawMarks(context, scene);
  context.restore();
  drawScopes(context, doc, layout, answer, scene.windowOf);
  const reading = state.hover === null ? null : readingOf(doc, answer, state.hover);
  drawReadout(context, layout, reading, state.pointer);
}

/** The part a ghost would become. */
export function ghostPart(ghost: Ghost): Part {
  const settings = defaultSettings(kindOf(ghost));
  return { id: "", kind: ghost.kind, at: [ghost.at[0], ghost.at[1]], turn: ghost.turn, flip: ghost.flip, settings };
}

function drawHalos(context: CanvasRenderingContext2D, { doc, state }: Scene): void {
  const hovered = state.hover === null || state.gesture !== null ? null : idOf(state.hover);
  for (const part of doc.parts) {
    if (state.selection.has(part.id)) {
      drawHalo(context, part, state.view, COLOURS.selectFill, COLOURS.select);
    } else if (part.id === hovered) {
      drawHalo(context, part, state.view, COLOURS.hover, COLOURS.hoverLine);
    }
  }
}

function drawWires(context: CanvasRenderingContext2D, scene: Scene): void {
  const { doc, state, answer } = scene;
  const hovered = state.hover === null ? null : idOf(state.hover);
  for (const wire of doc.wires) {
    const isSelected = state.selection.has(wire.id);
    if (isSelected || wire.id === hovered) {
      drawLine(context, state.view, wire.from, wire.to, isSelected ? "#a9c4f7" : "#d3e1fa", lineWidth(state.view) + 6);
    }
    const colour = isSelected ? COLOURS.select : voltageColour(voltsAt(answer, wire.id));
    drawLine(context, state.view, wire.from, wire.to, colour, lineWidth(state.view));
  }
}

function drawLine(
  context: CanvasRenderingContext2D,
  view: View,
  from: Point,
  to: Point,
  colour: string,
  width: number,
): void {
  const [a, b] = [toPixel(view, from), toPixel(view, to)];
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineCap = "round";
  context.beginPath();
  context.moveTo(a[0] + shift(view), a[1] + shift(view));
  context.lineTo(b[0] + shift(view), b[1] + shift(view));
  context.stroke();
}

function lookOf(part: Part, { state, answer }: Scene) {
  return {
    ink: state.selection.has(part.id) ? COLOURS.select : COLOURS.ink,
    leadColour: (pin: string) => voltageColour(pinVolts(answer, part.id, pin)),
    level: levelOf(answer, part),
  };
}

function drawJoints(context: CanvasRenderingContext2D, doc: CircuitDocument, view: View): void {
  const large = Math.max(3, view.unit / 5);
  for (const point of junctions(doc)) {
    disc(context, toPixel(view, point), large, COLOURS.ink, null);
  }
  for (const point of looseEnds(doc)) {
    disc(context, toPixel(view, point), Math.max(2.5, view.unit / 6), COLOURS.body, COLOURS.ink);
  }
}

function disc(context: CanvasRenderingContext2D, at: Point, radius: number, fill: string, line: string | null): void {
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

function drawProbes(context: CanvasRenderingContext2D, { doc, state }: Scene): void {
  doc.scopes.forEach((scope, index) => {
    const place = probePlace(doc, scope.probe);
    if (place !== null) {
      const colour = PROBE_COLOURS[index % PROBE_COLOURS.length] ?? COLOURS.trace;
      disc(context, toPixel(state.view, place), Math.max(4, state.view.unit / 3.5), COLOURS.body, colour);
      disc(context, toPixel(state.view, place), Math.max(2, state.view.unit / 8), colour, null);
    }
  });
}

function drawMarks(context: CanvasRenderingContext2D, { doc, state }: Scene): void {
  const { view, gesture, ghost, hover } = state;
  const isEnd = hover !== null && (hover.type === "pin" || hover.type === "end");
  if (isEnd && gesture === null && ghost === null) {
    disc(context, toPixel(view, hover.at), Math.max(4, view.unit / 3.2), COLOURS.selectFill, COLOURS.select);
  }
  if (gesture?.type === "wire") {
    drawNewWire(context, doc, view, gesture);
  }
  if (gesture?.type === "marquee") {
    drawMarquee(context, gesture.from, gesture.to);
  }
  if (ghost !== null) {
    drawGhost(context, ghost, view);
  }
}

function drawNewWire(
  context: CanvasRenderingContext2D,
  doc: CircuitDocument,
  view: View,
  { from, to, elbow }: { from: Point; to: Point; elbow: boolean },
): void {
  const corner: Point = elbow ? [to[0], from[1]] : to;
  drawLine(context, view, from, corner, COLOURS.select, lineWidth(view));
  drawLine(context, view, corner, to, COLOURS.select, lineWidth(view));
  const isJoined = endpoints(doc).has(pointKey(to)) || doc.wires.some((wire) => isInside(wire, to));
  disc(context, toPixel(view, from), 4, COLOURS.body, COLOURS.select);
  disc(context, toPixel(view, to), isJoined ? 6 : 4, isJoined ? COLOURS.selectFill : COLOURS.body, COLOURS.select);
}

function drawMarquee(context: CanvasRenderingContext2D, from: Point, to: Point): void {
  const [left, top] = [Math.min(from[0], to[0]), Math.min(from[1], to[1])];
  const [width, height] = [Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])];
  context.fillStyle = "rgba(37, 99, 235, 0.08)";
  context.fillRect(left, top, width, height);
  context.strokeStyle = COLOURS.select;
  context.lineWidth = 1;
  context.strokeRect(Math.floor(left) + 0.5, Math.floor(top) + 0.5, Math.round(width), Math.round(height));
}

function drawGhost(context: CanvasRenderingContext2D, ghost: Ghost, view: View): void {
  const part = ghostPart(ghost);
  drawPart(context, part, view, { ink: COLOURS.select, leadColour: () => COLOURS.select, level: null });
  for (const pin of placedPins(part)) {
    disc(context, toPixel(view, pin.at), Math.max(2.5, view.unit / 6), COLOURS.body, COLOURS.select);
  }
}
