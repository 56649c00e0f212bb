import type { Reading } from "../editor/readings";
import { COLOURS } from "./colours";
import type { Point } from "../model/document";
import { type Frame, type Layout, READOUT_WIDTH, isIn } from "./layout";
import { CELL, cut, write, writeCells } from "./text";

const HEAD = 30;
const MARGIN = 12;
const INSET = 12;

/**
 * Where the information panel lies: in the dock if there is one, else at the bottom right of the drawing. It makes way
 * to the left when the pointer is on what it would cover.
 */
export function readoutFrame(layout: Layout, rows: number, pointer: Point | null): Frame {
  if (layout.readout !== null) {
    return layout.readout;
  }
  const [x, y, width, height] = layout.drawing;
  const high = HEAD + 8 + rows * (CELL.height + 2) + 6;
  const right: Frame = [x + width - READOUT_WIDTH - MARGIN, y + height - high - MARGIN, READOUT_WIDTH, high];
  return pointer !== null && isIn(right, pointer) ? [x + MARGIN, right[1], READOUT_WIDTH, high] : right;
}

/** Where each row of the information panel lies: a row is as wide as its text. */
export function readoutRows(frame: Frame, reading: Reading): { name: string; text: string; frame: Frame }[] {
  return reading.rows.map(({ name, text }, index) => {
    const line = `${name} = ${text}`;
    const top = frame[1] + HEAD + 8 + index * (CELL.height + 2);
    return { name, text: line, frame: [frame[0] + INSET, top, line.length * CELL.width, CELL.height] };
  });
}

/** Draws the information panel. With nothing under the pointer it is empty in the dock and absent from the drawing. */
export function drawReadout(
  context: CanvasRenderingContext2D,
  layout: Layout,
  reading: Reading | null,
  pointer: Point | null,
): void {
  if (reading === null && layout.readout === null) {
    return;
  }
  const frame = readoutFrame(layout, reading?.rows.length ?? 0, pointer);
  drawPanel(context, frame, HEAD);
  if (reading === null) {
    write(context, "Information", [frame[0] + INSET, frame[1] + HEAD / 2 + 1], { size: 12, weight: 600 });
    const at: Point = [frame[0] + INSET, frame[1] + HEAD + 18];
    return write(context, "Point at a part or a wire.", at, { size: 12, colour: COLOURS.faint });
  }
  drawHead(context, frame, reading);
  for (const row of readoutRows(frame, reading)) {
    writeCells(context, row.text, [row.frame[0], row.frame[1]]);
  }
}

function drawHead(context: CanvasRenderingContext2D, [x, y, width]: Frame, reading: Reading): void {
  const style = { size: 12, weight: 600 } as const;
  const label = cut(context, reading.label, { size: 12 }, 80);
  const room = width - 2 * INSET - (label === "" ? 0 : Math.ceil(context.measureText(label).width) + 10);
  write(context, cut(context, reading.title, style, room), [x + INSET, y + HEAD / 2 + 1], style);
  write(context, label, [x + width - INSET, y + HEAD / 2 + 1], { size: 12, colour: COLOURS.value, align: "right" });
}

/** Draws a framed panel with a head of its own colour. */
export function drawPanel(context: CanvasRenderingContext2D, frame: Frame, head: number): void {
  const [x, y, width, height] = frame;
  context.fillStyle = COLOURS.panel;
  context.fillRect(x, y, width, height);
  context.fillStyle = COLOURS.panelHead;
  context.fillRect(x, y, width, head);
  context.strokeStyle = COLOURS.panelLine;
  context.lineWidth = 1;
  context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
  context.fillStyle = COLOURS.panelLine;
  context.fillRect(x, y + head - 1, width, 1);
}
