import { type Answer, levelOf, pinVolts, probePlace } from "../editor/answer";
import { readingOf } from "../editor/readings";
import type { EditorState } from "../editor/state";
import { idOf } from "../editor/target";
import { type CircuitDocument, type Part, type Point, pointKey } from "../model/document";
import { openKeys } from "../model/driven";
import { type Hanging, placedThings } from "../model/hanging";
import { endpoints, isInside } from "../model/joints";
import { placedPins } from "../model/place";
import { drawCaptions } from "./captions";
import { COLOURS, PROBE_COLOURS, voltageColour } from "./colours";
import { drawGrid } from "./grid";
import { layoutOf } from "./layout";
import { drawDisc, drawLine } from "./line";
import { drawHalo, drawPart, drawWords, lineWidth } from "./parts";
import { drawPinNames } from "./pinnames";
import { drawReadout } from "./readout";
import { drawScopes } from "./scopes";
import { type View, toPixel } from "./view";
import { drawCrossings, drawJoints, drawPasses, drawWires } from "./wires";

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
  const open = openKeys(doc);
  const draw = (part: Part) => drawPart(context, part, state.view, lookOf(part, scene, open));
  drawWires(context, scene);
  doc.parts.forEach(draw);
  const crossed = drawCrossings(context, scene);
  for (const part of doc.parts.filter(({ id }) => crossed.has(id))) {
    drawWords(context, part, state.view, lookOf(part, scene, open), haloOf(part));
  }
  drawPasses(context, scene, draw);
  drawJoints(context, doc, state.view);
  drawCaptions(context, doc, state.view, layout.drawing);
  drawProbes(context, scene);
  drawHoveredPins(context, scene);
  drawMarks(context, scene);
  context.restore();
  drawScopes(context, doc, layout, answer, scene.windowOf);
  const reading = state.hover === null ? null : readingOf(doc, answer, state.hover);
  drawReadout(context, layout, reading, state.pointer);
}

function drawHalos(context: CanvasRenderingContext2D, { doc, state }: Scene): void {
  const hovered = hoveredId(state);
  for (const part of doc.parts) {
    if (state.selection.has(part.id)) {
      drawHalo(context, part, state.view, COLOURS.selectFill, COLOURS.select);
    } else if (part.id === hovered) {
      drawHalo(context, part, state.view, COLOURS.hover, COLOURS.hoverLine);
    }
  }
}

/** The part or wire under the pointer, or the one that the open menu is about. */
function hoveredId({ hover, gesture, menu }: EditorState): string | null {
  if (menu?.about !== undefined) {
    return menu.about;
  }
  return hover === null || gesture !== null ? null : idOf(hover);
}

function drawHoveredPins(context: CanvasRenderingContext2D, { doc, state }: Scene): void {
  const hovered = state.ghost === null ? hoveredId(state) : null;
  for (const part of doc.parts.filter(({ id }) => id === hovered)) {
    drawPinNames(context, part, state.view);
  }
}

/** The rim of words over a passing wire; the level of a logic part is written on its own colour. */
function haloOf({ kind }: Part): string | null {
  return kind === "logicInput" || kind === "logicOutput" ? null : COLOURS.body;
}

function lookOf(part: Part, { state, answer }: Scene, open: ReadonlySet<string>) {
  return {
    ink: state.selection.has(part.id) ? COLOURS.select : COLOURS.ink,
    leadColour: (pin: string) => voltageColour(pinVolts(answer, part.id, pin)),
    level: open.has(`${part.id}.in`) ? null : levelOf(answer, part),
  };
}

function drawProbes(context: CanvasRenderingContext2D, { doc, state }: Scene): void {
  doc.scopes.forEach((scope, index) => {
    const place = probePlace(doc, scope.probe);
    if (place !== null) {
      const colour = PROBE_COLOURS[index % PROBE_COLOURS.length] ?? COLOURS.trace;
      drawDisc(context, toPixel(state.view, place), Math.max(4, state.view.unit / 3.5), COLOURS.body, colour);
      drawDisc(context, toPixel(state.view, place), Math.max(2, state.view.unit / 8), colour, null);
    }
  });
}

function drawMarks(context: CanvasRenderingContext2D, { doc, state }: Scene): void {
  const { view, gesture, ghost, hover } = state;
  const isEnd = hover !== null && (hover.type === "pin" || hover.type === "end");
  if (isEnd && gesture === null && ghost === null) {
    drawDisc(context, toPixel(view, hover.at), Math.max(4, view.unit / 3.2), COLOURS.selectFill, COLOURS.select);
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
  const stroke = { colour: COLOURS.select, width: lineWidth(view) };
  drawLine(context, view, [from, corner], stroke);
  drawLine(context, view, [corner, to], stroke);
  const isJoined = endpoints(doc).has(pointKey(to)) || doc.wires.some((wire) => isInside(wire, to));
  drawDisc(context, toPixel(view, from), 4, COLOURS.body, COLOURS.select);
  drawDisc(context, toPixel(view, to), isJoined ? 6 : 4, isJoined ? COLOURS.selectFill : COLOURS.body, COLOURS.select);
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

/** What hangs at the pointer, with a cross at the grid point that a click would put its grip on. */
function drawGhost(context: CanvasRenderingContext2D, ghost: Hanging, view: View): void {
  const { parts, wires } = placedThings(ghost);
  for (const { from, to } of wires) {
    drawLine(context, view, [from, to], { colour: COLOURS.select, width: lineWidth(view) });
  }
  for (const part of parts) {
    drawPart(context, part, view, { ink: COLOURS.select, leadColour: () => COLOURS.select, level: null });
    for (const pin of placedPins(part)) {
      drawDisc(context, toPixel(view, pin.at), Math.max(2.5, view.unit / 6), COLOURS.body, COLOURS.select);
    }
  }
  drawCross(context, toPixel(view, ghost.at));
}

function drawCross(context: CanvasRenderingContext2D, [x, y]: Point): void {
  context.fillStyle = COLOURS.body;
  context.fillRect(x - 10, y - 2, 21, 5);
  context.fillRect(x - 2, y - 10, 5, 21);
  context.fillStyle = COLOURS.snap;
  context.fillRect(x - 9, y - 1, 19, 3);
  context.fillRect(x - 1, y - 9, 3, 19);
}
