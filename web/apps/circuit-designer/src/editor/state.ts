import type { MenuItem } from "@quintain/kit";
import type { Point } from "../model/document";
import type { Hanging } from "../model/hanging";
import { FIRST_VIEW, type View } from "../draw/view";
import type { Target } from "./target";

/** What dragging does to begin with: select and move, or draw wires. */
export type Mode = "select" | "wire";

/** What the pointer is doing with its button down. Pixels are of the canvas, points of the grid. */
export type Gesture =
  | { type: "press"; target: Target | null; pixel: Point; adds: boolean }
  | { type: "wire"; from: Point; to: Point; elbow: boolean; waits: boolean }
  | { type: "move"; ids: ReadonlySet<string>; start: Point; delta: Point }
  | { type: "marquee"; from: Point; to: Point; adds: boolean }
  | { type: "pan"; last: Point };

/** A menu at a place of the window. */
export interface OpenMenu {
  x: number;
  y: number;
  items: readonly MenuItem[];
  /** The part or wire that the menu is about. */
  about?: string;
  /** The side of its place at which the menu opens. */
  side?: "above" | "beside";
}

/** The dialog that is open. */
export type OpenDialog = { type: "properties"; part: string } | { type: "import" } | { type: "export" };

/** Everything about the editor that is not part of the document. */
export interface EditorState {
  mode: Mode;
  view: View;
  /** The canvas's width and height in pixels. */
  size: Point;
  selection: ReadonlySet<string>;
  hover: Target | null;
  /** Where the pointer is on the canvas, in pixels, or null when it is elsewhere. */
  pointer: Point | null;
  /** What hangs at the pointer until a click puts it down. */
  ghost: Hanging | null;
  gesture: Gesture | null;
  menu: OpenMenu | null;
  dialog: OpenDialog | null;
  running: boolean;
  /** The time each scope shows, in seconds, where it is not the usual one. */
  windows: Readonly<Record<string, number>>;
}

/** The state of a freshly opened editor. */
export const FIRST_STATE: EditorState = {
  mode: "select",
  view: FIRST_VIEW,
  size: [0, 0],
  selection: new Set(),
  hover: null,
  pointer: null,
  ghost: null,
  gesture: null,
  menu: null,
  dialog: null,
  running: true,
  windows: {},
};

/** The times a scope can show, in seconds, and the one it shows at first. */
export const WINDOWS = [1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5] as const;
export const FIRST_WINDOW = 0.02;
