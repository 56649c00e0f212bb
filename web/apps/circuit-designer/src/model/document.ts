/** A point of the drawing, in grid units. */
export type Point = readonly [number, number];

/** What a setting may hold. */
export type SettingValue = number | string | boolean;

/** Quarter turns clockwise. */
export type Turn = 0 | 1 | 2 | 3;

/** A component on the drawing. `flip` mirrors it across its own axis before it is turned. */
export interface Part {
  id: string;
  kind: string;
  at: [number, number];
  turn: Turn;
  flip: boolean;
  settings: Record<string, SettingValue>;
}

/** A straight wire between two grid points. It joins things at its ends only. */
export interface Wire {
  id: string;
  from: [number, number];
  to: [number, number];
}

/** The place a scope looks at. */
export type Probe = { part: string; pin: string } | { wire: string };

/** The measures a scope can show, in the order in which it shows them. */
export const MEASURES = ["frequency", "duty", "peak_to_peak", "max", "min"] as const;
export type Measure = (typeof MEASURES)[number];

/** A scope: what it looks at and which measures it writes over its trace. */
export interface Scope {
  id: string;
  probe: Probe;
  show: Measure[];
}

/** Everything the app keeps: the circuit, its scopes and the pace of time. */
export interface CircuitDocument {
  parts: Part[];
  wires: Wire[];
  scopes: Scope[];
  /** Simulated seconds per second of the app's clock. */
  speed: number;
}

/** The paces of time a user can choose. */
export const SPEEDS = [0.001, 0.01, 0.1, 1] as const;

/** The most scopes that are shown side by side. */
export const MOST_SCOPES = 4;

/** An empty drawing. */
export function blank(): CircuitDocument {
  return { parts: [], wires: [], scopes: [], speed: 0.1 };
}

/** The next free id with this letter: one more than the greatest number in use. */
export function nextId(letter: "p" | "w" | "s", things: readonly { id: string }[]): string {
  const numbers = things.map((thing) => Number(thing.id.slice(letter.length)));
  return `${letter}${Math.max(0, ...numbers.filter(Number.isFinite)) + 1}`;
}

/** Whether two points are the same grid point. */
export function samePoint(a: Point, b: Point): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

/** A key for a grid point, for maps and sets. */
export function pointKey(point: Point): string {
  return `${point[0]},${point[1]}`;
}
