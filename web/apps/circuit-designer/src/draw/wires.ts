import { type Answer, voltsAt } from "../editor/answer";
import type { EditorState } from "../editor/state";
import { idOf } from "../editor/target";
import { crossings, passedEnds } from "../model/crossings";
import { type CircuitDocument, type Part, type Point, type Wire, pointKey, samePoint } from "../model/document";
import { openInputs } from "../model/driven";
import { endpoints, junctions, looseEnds } from "../model/joints";
import { placedPins } from "../model/place";
import { COLOURS, voltageColour } from "./colours";
import { drawDisc, drawLine } from "./line";
import { lineWidth } from "./parts";
import { type View, toPixel } from "./view";

/** What the look of wires depends on. */
export interface Wiring {
  doc: CircuitDocument;
  state: Pick<EditorState, "view" | "selection" | "hover" | "menu">;
  answer: Answer | null;
}

/** The width of the paper on either side of a wire that passes over something, in pixels. */
const CASING = 2;
/** How close a wire must pass to an end for the two to be told apart, in pixels. */
const CLOSE = 4;

/** Draws all wires, those under the pointer and the selected ones with a band around them. */
export function drawWires(context: CanvasRenderingContext2D, wiring: Wiring): void {
  const { doc, state } = wiring;
  const hovered = state.menu?.about ?? (state.hover === null ? null : idOf(state.hover));
  for (const wire of doc.wires) {
    const isSelected = state.selection.has(wire.id);
    if (isSelected || wire.id === hovered) {
      const colour = isSelected ? "#a9c4f7" : "#d3e1fa";
      drawLine(context, state.view, [wire.from, wire.to], { colour, width: lineWidth(state.view) + 6 });
    }
    drawLine(context, state.view, [wire.from, wire.to], strokeOf(wire, wiring));
  }
}

/**
 * Draws wires that pass over bodies above them, with paper at their sides where they are not joined to the part. Returns
 * the ids of the parts that are crossed.
 */
export function drawCrossings(context: CanvasRenderingContext2D, wiring: Wiring): ReadonlySet<string> {
  const { view } = wiring.state;
  const found = crossings(wiring.doc);
  for (const { wire, from, to, isJoined } of found) {
    if (!isJoined) {
      const width = lineWidth(view) + 2 * CASING;
      drawLine(context, view, [from, to], { colour: COLOURS.paper, width, cap: "butt" });
    }
    drawLine(context, view, [from, to], strokeOf(wire, wiring));
  }
  return new Set(found.map(({ part }) => part));
}

/**
 * Sets ends apart from wires that only pass them: around the end there is paper, on which only what is joined there is drawn
 * again. Open ends have their circle and need no more.
 */
export function drawPasses(context: CanvasRenderingContext2D, wiring: Wiring, drawPart: (part: Part) => void): void {
  const { doc, state } = wiring;
  const ends = endpoints(doc);
  const isOpen = (at: Point) => {
    const end = ends.get(pointKey(at));
    return end !== undefined && end.pins + end.ends === 1;
  };
  for (const at of passedEnds(doc, CLOSE / state.view.unit).filter((end) => !isOpen(end))) {
    context.save();
    context.beginPath();
    context.arc(...toPixel(state.view, at), Math.max(4, state.view.unit * 0.35), 0, 2 * Math.PI);
    context.clip();
    context.fillStyle = COLOURS.paper;
    context.fill();
    for (const wire of doc.wires.filter(({ from, to }) => samePoint(from, at) || samePoint(to, at))) {
      drawLine(context, state.view, [wire.from, wire.to], strokeOf(wire, wiring));
    }
    doc.parts.filter((part) => placedPins(part).some((pin) => samePoint(pin.at, at))).forEach(drawPart);
    context.restore();
  }
}

/** Draws dots where three or more ends meet, circles at open ends, and red ones at inputs that nothing drives. */
export function drawJoints(context: CanvasRenderingContext2D, doc: CircuitDocument, view: View): void {
  for (const point of junctions(doc)) {
    drawDisc(context, toPixel(view, point), Math.max(3, view.unit / 5), COLOURS.ink, null);
  }
  const radius = Math.max(2.5, view.unit / 6);
  for (const point of looseEnds(doc)) {
    drawDisc(context, toPixel(view, point), radius, COLOURS.body, COLOURS.ink);
  }
  for (const { at } of openInputs(doc)) {
    drawDisc(context, toPixel(view, at), radius + 1, COLOURS.openFill, COLOURS.open);
  }
}

function strokeOf(wire: Wire, { state, answer }: Wiring) {
  const isSelected = state.selection.has(wire.id);
  const colour = isSelected ? COLOURS.select : voltageColour(voltsAt(answer, wire.id));
  return { colour, width: lineWidth(state.view) };
}
