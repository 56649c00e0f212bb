import { type CircuitDocument, MEASURES, type Measure, type Point } from "../model/document";
import { CELL } from "./text";

/** Left, top, width and height in pixels of the canvas. */
export type Frame = readonly [number, number, number, number];

/** Where the pieces of one scope are. */
export interface ScopeFrame {
  id: string;
  frame: Frame;
  plot: Frame;
  menu: Frame;
  shorter: Frame;
  longer: Frame;
  measures: readonly { measure: Measure; at: Point }[];
}

/** Where the pieces of the canvas are: the drawing above, the scopes and the information panel in their dock below. */
export interface Layout {
  /** The height of the whole canvas. */
  height: number;
  drawing: Frame;
  /** The information panel's place in the dock; without a dock it lies on the drawing. */
  readout: Frame | null;
  scopes: readonly ScopeFrame[];
}

const GAP = 8;
const HEAD = 30;
const BUTTON = 24;
/** The width of the information panel. */
export const READOUT_WIDTH = 264;
/** The width of the column of measures, where there are any: sixteen characters. */
const COLUMN = 10 + 16 * CELL.width;

/** Divides a canvas among the drawing and the scopes. */
export function layoutOf(doc: CircuitDocument, size: Point): Layout {
  const [width, height] = size;
  if (doc.scopes.length === 0) {
    return { height, drawing: [0, 0, width, height], readout: null, scopes: [] };
  }
  const dock = Math.min(240, Math.max(170, Math.round(height * 0.31)));
  const readout: Frame = [width - READOUT_WIDTH - GAP, height - dock + GAP, READOUT_WIDTH, dock - 2 * GAP];
  const each = Math.floor((readout[0] - GAP * (doc.scopes.length + 1)) / doc.scopes.length);
  const scopes = doc.scopes.map((scope, index) => {
    const frame: Frame = [GAP + index * (each + GAP), height - dock + GAP, each, dock - 2 * GAP];
    return scopeFrame(
      scope.id,
      frame,
      MEASURES.filter((measure) => scope.show.includes(measure)),
    );
  });
  return { height, drawing: [0, 0, width, height - dock], readout, scopes };
}

/** Whether a pixel lies in a frame. */
export function isIn([x, y, width, height]: Frame, [px, py]: Point): boolean {
  return px >= x && px < x + width && py >= y && py < y + height;
}

/** Whether a scope has no room for more than the bare time between its buttons. */
export function isNarrow(width: number): boolean {
  return width < 320;
}

function scopeFrame(id: string, frame: Frame, show: readonly Measure[]): ScopeFrame {
  const [x, y, width, height] = frame;
  const button = (place: number): Frame => [x + width - 3 - Math.round(place * (BUTTON + 2)), y + 3, BUTTON, BUTTON];
  const left = show.length === 0 ? x + 1 : x + COLUMN;
  return {
    id,
    frame,
    plot: [left, y + HEAD, x + width - 1 - left, height - HEAD - 1],
    menu: button(1),
    longer: button(2),
    shorter: button(isNarrow(width) ? 4.5 : 6),
    measures: show.map((measure, index) => ({ measure, at: [x + 10, y + HEAD + 6 + index * (CELL.height + 2)] })),
  };
}
