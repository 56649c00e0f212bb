import type { Reading } from "../editor/readings";
import { COLOURS } from "./colours";
import type { Frame } from "./layout";
import { CELL, cut, write, writeCells } from "./text";

const WIDTH = 264;
const HEAD = 30;
const MARGIN = 12;
const INSET = 12;

/** Where the information panel lies, at the bottom right of the drawing. */
export function readoutFrame(drawing: Frame, rows: number): Frame {
  const height = HEAD + 8 + rows * (CELL.height + 2) + 6;
  return [drawing[0] + drawing[2] - WIDTH - MARGIN, drawing[1] + drawing[3] - height - MARGIN, WIDTH, height];
}

/** Where each row of the information panel lies: a row is as wide as its text. */
export function readoutRows(frame: Frame, reading: Reading): { name: string; text: string; frame: Frame }[] {
  return reading.rows.map(({ name, text }, index) => {
    const line = `${name} = ${text}`;
    const top = frame[1] + HEAD + 8 + index * (CELL.height + 2);
    return { name, text: line, frame: [frame[0] + INSET, top, line.length * CELL.width, CELL.height] };
  });
}

/** Draws the information panel. */
export function drawReadout(context: CanvasRenderingContext2D, drawing: Frame, reading: Reading): void {
  const frame = readoutFrame(drawing, reading.rows.length);
  const [x, y, width, height] = frame;
  drawPanel(context, frame, HEAD);
  const style = { size: 12, weight: 600 } as const;
  const label = cut(context, reading.label, { size: 12 }, 80);
  const room = width - 2 * INSET - (label === "" ? 0 : Math.ceil(context.measureText(label).width) + 10);
  write(context, cut(context, reading.title, style, room), [x + INSET, y + HEAD / 2 + 1], style);
  write(context, label, [x + width - INSET, y + HEAD / 2 + 1], { size: 12, colour: COLOURS.value, align: "right" });
  for (const row of readoutRows([x, y, width, height], reading)) {
    writeCells(context, row.text, [row.frame[0], row.frame[1]]);
  }
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
