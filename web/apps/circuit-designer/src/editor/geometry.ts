import { type Rectangle, intersect } from "@quintain/kit";
import { type Frame, layoutOf } from "../draw/layout";
import { readoutFrame, readoutRows } from "../draw/readout";
import { CELL } from "../draw/text";
import { toPixel } from "../draw/view";
import { boxOf } from "../model/place";
import { measureText, readingOf } from "./readings";
import type { Editor } from "./editor";

type Entry = readonly [name: string, rectangle: Rectangle];

/** Where everything on the canvas is in the window, for those who may know. */
export function canvasGeometry(editor: Editor, canvas: HTMLCanvasElement): Entry[] {
  const { left, top } = canvas.getBoundingClientRect();
  const { view, size } = editor.state();
  const layout = layoutOf(editor.document, size);
  const put = ([x, y, width, height]: Frame): Rectangle => [x + left, y + top, width, height];
  const [originX, originY] = toPixel(view, [0, 0]);
  const area = put(layout.drawing);
  const entries: Entry[] = [
    ["canvas", area],
    ["canvas/origin", put([originX, originY, 1, 1])],
    ["canvas/unit", put([originX, originY, view.unit, view.unit])],
  ];
  const things: (readonly [string, Frame])[] = [...partFrames(editor), ...wireFrames(editor)];
  for (const [name, frame] of things) {
    const visible = intersect(put(frame), area);
    if (visible !== null && isUncovered(canvas, visible)) {
      entries.push([name, visible]);
    }
  }
  const panels = [...readoutFrames(editor), ...scopeFrames(editor)].map(([name, frame]): Entry => [name, put(frame)]);
  return [...entries, ...panels.filter(([, frame]) => isUncovered(canvas, frame))];
}

function isUncovered(canvas: HTMLCanvasElement, [x, y, width, height]: Rectangle): boolean {
  return document.elementFromPoint(x + width / 2, y + height / 2) === canvas;
}

function partFrames(editor: Editor): [string, Frame][] {
  const { view } = editor.state();
  return editor.document.parts.map((part) => {
    const [left, top, right, bottom] = boxOf(part);
    const [x, y] = toPixel(view, [left, top]);
    return [`part/${part.id}`, [x, y, (right - left) * view.unit, (bottom - top) * view.unit]];
  });
}

function wireFrames(editor: Editor): [string, Frame][] {
  const { view } = editor.state();
  return editor.document.wires.map(({ id, from, to }) => {
    const [x, y] = toPixel(view, [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);
    return [`wire/${id}`, [Math.round(x) - 2, Math.round(y) - 2, 4, 4]];
  });
}

function readoutFrames(editor: Editor): [string, Frame][] {
  const { hover, size, pointer } = editor.state();
  const reading = hover === null ? null : readingOf(editor.document, editor.simulation.answer, hover);
  if (reading === null) {
    return [];
  }
  const frame = readoutFrame(layoutOf(editor.document, size), reading.rows.length, pointer);
  const rows = readoutRows(frame, reading).map((row): [string, Frame] => [`readout/${row.name}`, row.frame]);
  return [["readout", frame], ...rows];
}

function scopeFrames(editor: Editor): [string, Frame][] {
  const { scopes } = layoutOf(editor.document, editor.state().size);
  return scopes.flatMap(({ id, frame, menu, shorter, longer, measures }): [string, Frame][] => {
    const shown = editor.simulation.answer?.scopes.find((scope) => scope.id === id);
    const lines = measures.map(({ measure, at }): [string, Frame] => {
      return [`scope/${id}/${measure}`, [at[0], at[1], measureText(measure, shown).length * CELL.width, CELL.height]];
    });
    const buttons: [string, Frame][] = [
      ["menu", menu],
      ["shorter", shorter],
      ["longer", longer],
    ];
    return [
      [`scope/${id}`, frame],
      ...buttons.map(([name, place]): [string, Frame] => [`scope/${id}/${name}`, place]),
      ...lines,
    ];
  });
}
