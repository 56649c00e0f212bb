import { defaultSettings, kindOf } from "./catalogue";
import type { CircuitDocument, Part, Point, Turn, Wire } from "./document";
import { freshLabel, isStraight, turnEnds } from "./edits";
import { extentOf, middleOf, turned } from "./place";

/** What hangs at the pointer until it is put down: parts and wires, placed relative to the grid point under it. */
export interface Hanging {
  /** Whether it is a component from the menus or a copy of what is drawn already. */
  origin: "menu" | "copy";
  at: Point;
  parts: readonly Part[];
  wires: readonly Wire[];
}

/** A new component, which hangs by its own origin. */
export function newPart(doc: CircuitDocument, kind: string, at: Point): Hanging {
  const settings = { ...defaultSettings(kindOf({ kind })), label: freshLabel(doc, kind) };
  const part: Part = { id: "", kind, at: [0, 0], turn: 0, flip: false, settings };
  return { origin: "menu", at, parts: [part], wires: [] };
}

/** A copy of parts and wires. One part hangs by its origin, several things by their middle. */
export function copyOf(things: Pick<CircuitDocument, "parts" | "wires">, at: Point): Hanging {
  const { parts, wires } = structuredClone({ parts: things.parts, wires: things.wires });
  const box = extentOf({ parts, wires, scopes: [], speed: 1 });
  const middle = box === null ? ([0, 0] as const) : middleOf(box);
  const [only] = parts;
  const grip: Point = parts.length === 1 && wires.length === 0 && only !== undefined ? only.at : whole(middle);
  const place = (point: Point): Point => [point[0] - grip[0], point[1] - grip[1]];
  return { origin: "copy", at, ...moved({ parts, wires }, place) };
}

/** Turned a quarter clockwise around the grid point under the pointer. */
export function rotated(hanging: Hanging): Hanging {
  const { parts, wires } = moved(hanging, (point) => turned(point, 1, false));
  return { ...hanging, wires, parts: parts.map((part) => ({ ...part, turn: ((part.turn + 1) % 4) as Turn })) };
}

/** Flipped: one part as on the drawing, several things upside down as a whole. */
export function flipped(hanging: Hanging): Hanging {
  const [only] = hanging.parts;
  if (hanging.parts.length === 1 && hanging.wires.length === 0 && only !== undefined) {
    const part = structuredClone(only);
    isStraight(part) ? turnEnds(part) : (part.flip = !part.flip);
    return { ...hanging, parts: [part] };
  }
  const { parts, wires } = moved(hanging, ([x, y]) => [x, -y + 0]);
  const mirror = (part: Part): Part => ({ ...part, turn: ((4 - part.turn) % 4) as Turn, flip: !part.flip });
  return { ...hanging, wires, parts: parts.map(mirror) };
}

/** The parts and wires where they would be put down. */
export function placedThings(hanging: Hanging): Pick<CircuitDocument, "parts" | "wires"> {
  return moved(hanging, ([x, y]) => [x + hanging.at[0], y + hanging.at[1]]);
}

function moved(
  { parts, wires }: { parts: readonly Part[]; wires: readonly Wire[] },
  place: (point: Point) => Point,
): Pick<CircuitDocument, "parts" | "wires"> {
  const put = (point: Point): [number, number] => [...place(point)];
  return {
    parts: parts.map((part) => ({ ...part, at: put(part.at) })),
    wires: wires.map((wire) => ({ ...wire, from: put(wire.from), to: put(wire.to) })),
  };
}

function whole([x, y]: Point): Point {
  return [Math.round(x), Math.round(y)];
}
