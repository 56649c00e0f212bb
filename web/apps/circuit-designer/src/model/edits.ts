import { defaultSettings, kindOf, pinsOf } from "./catalogue";
import {
  type CircuitDocument,
  MEASURES,
  MOST_SCOPES,
  type Measure,
  type Part,
  type Point,
  type Probe,
  type SettingValue,
  type Turn,
  nextId,
  pointKey,
  samePoint,
} from "./document";
import { hasWire, splitAt } from "./joints";
import { boxOf, middleOf, placedPins } from "./place";

/** How a new part is to lie. */
export interface Ghost {
  kind: string;
  at: Point;
  turn: Turn;
  flip: boolean;
}

/** The ids of the things an edit is about. */
export type Selection = ReadonlySet<string>;

/** Adds a part with default settings and a label of its own; returns its id. */
export function addPart(doc: CircuitDocument, ghost: Ghost): string {
  const part: Part = {
    id: nextId("p", doc.parts),
    kind: ghost.kind,
    at: [ghost.at[0], ghost.at[1]],
    turn: ghost.turn,
    flip: ghost.flip,
    settings: { ...defaultSettings(kindOf(ghost)), label: freshLabel(doc, ghost.kind) },
  };
  doc.parts.push(part);
  return part.id;
}

/** Draws a wire; wires that its ends are dropped on are split. A wire without length or drawn twice is not made. */
export function addWire(doc: CircuitDocument, from: Point, to: Point): string | null {
  if (samePoint(from, to) || hasWire(doc, from, to)) {
    return null;
  }
  splitAt(doc, from);
  splitAt(doc, to);
  const id = nextId("w", doc.wires);
  doc.wires.push({ id, from: [from[0], from[1]], to: [to[0], to[1]] });
  return id;
}

/** Draws an L of two wires, first across, then up or down. */
export function addElbow(doc: CircuitDocument, from: Point, to: Point): void {
  const corner: Point = [to[0], from[1]];
  splitAt(doc, from);
  splitAt(doc, to);
  for (const [a, b] of [
    [from, corner],
    [corner, to],
  ] as const) {
    if (!samePoint(a, b) && !hasWire(doc, a, b)) {
      doc.wires.push({ id: nextId("w", doc.wires), from: [a[0], a[1]], to: [b[0], b[1]] });
    }
  }
}

/** Moves parts and wires. Ends of other wires that lie on what moves go along, so that nothing is torn off. */
export function moveBy(doc: CircuitDocument, ids: Selection, delta: Point): void {
  if (delta[0] === 0 && delta[1] === 0) {
    return;
  }
  const moved = movedPoints(doc, ids);
  for (const part of doc.parts.filter(({ id }) => ids.has(id))) {
    part.at = sum(part.at, delta);
  }
  for (const wire of doc.wires) {
    wire.from = moved.has(pointKey(wire.from)) ? sum(wire.from, delta) : wire.from;
    wire.to = moved.has(pointKey(wire.to)) ? sum(wire.to, delta) : wire.to;
  }
  dropEmptyWires(doc);
}

/** Turns parts a quarter clockwise around their own middles. */
export function rotate(doc: CircuitDocument, ids: Selection): void {
  reshape(doc, ids, (part) => {
    part.turn = ((part.turn + 1) % 4) as Turn;
  });
}

/**
 * Mirrors parts across their own axes. A part whose pins all lie on its axis would not change by that: it is turned end for
 * end where it lies, and wires keep their places, so that they change ends.
 */
export function flip(doc: CircuitDocument, ids: Selection): void {
  const parts = doc.parts.filter(({ id }) => ids.has(id));
  const straight = parts.filter(isStraight);
  straight.forEach(turnEnds);
  reshape(doc, new Set(parts.filter((part) => !straight.includes(part)).map(({ id }) => id)), (part) => {
    part.flip = !part.flip;
  });
}

/** Turns a part end for end in its place; one with a single pin around that pin. */
export function turnEnds(part: Part): void {
  const middle = middleOf(boxOf(part));
  part.turn = ((part.turn + 2) % 4) as Turn;
  if (pinsOf(part).length > 1) {
    const moved = middleOf(boxOf(part));
    part.at = [part.at[0] + middle[0] - moved[0], part.at[1] + middle[1] - moved[1]];
  }
}

/** Whether all pins of a part lie on its own axis. */
export function isStraight(part: Pick<Part, "kind" | "settings">): boolean {
  return pinsOf(part).every(({ at }) => at[1] === 0);
}

/** Removes parts and wires, and the scopes that look at them. */
export function remove(doc: CircuitDocument, ids: Selection): void {
  doc.parts = doc.parts.filter(({ id }) => !ids.has(id));
  doc.wires = doc.wires.filter(({ id }) => !ids.has(id));
  dropBlindScopes(doc);
}

/** Copies parts and wires of another drawing into this one; returns the new ids. */
export function paste(doc: CircuitDocument, from: Pick<CircuitDocument, "parts" | "wires">, delta: Point): string[] {
  const ids: string[] = [];
  for (const part of from.parts) {
    const id = nextId("p", doc.parts);
    const label = part.settings["label"] === "" ? "" : freshLabel(doc, part.kind);
    doc.parts.push({ ...part, id, at: sum(part.at, delta), settings: { ...part.settings, label } });
    ids.push(id);
  }
  for (const wire of from.wires) {
    const id = nextId("w", doc.wires);
    doc.wires.push({ id, from: sum(wire.from, delta), to: sum(wire.to, delta) });
    ids.push(id);
  }
  return ids;
}

/** Sets settings of one part. Where its pins move, the ends of wires on them go along. */
export function set(doc: CircuitDocument, id: string, settings: Readonly<Record<string, SettingValue>>): void {
  reshape(doc, new Set([id]), (part) => {
    Object.assign(part.settings, settings);
  });
}

/** Switches a logic input to its other level. */
export function toggleLevel(doc: CircuitDocument, id: string): void {
  const part = doc.parts.find((part) => part.id === id);
  if (part?.kind === "logicInput") {
    part.settings["level"] = part.settings["level"] === "high" ? "low" : "high";
  }
}

/** Opens a scope, if there is room for one more. */
export function addScope(doc: CircuitDocument, probe: Probe): void {
  if (doc.scopes.length < MOST_SCOPES) {
    doc.scopes.push({ id: nextId("s", doc.scopes), probe, show: [] });
  }
}

/** Shows or hides one measure of a scope. */
export function toggleMeasure(doc: CircuitDocument, id: string, measure: Measure): void {
  const scope = doc.scopes.find((scope) => scope.id === id);
  if (scope !== undefined) {
    const kept = new Set(scope.show);
    kept.has(measure) ? kept.delete(measure) : kept.add(measure);
    scope.show = MEASURES.filter((each) => kept.has(each));
  }
}

/** Takes a scope away. */
export function removeScope(doc: CircuitDocument, id: string): void {
  doc.scopes = doc.scopes.filter((scope) => scope.id !== id);
}

/** A label no part has yet: the kind's letters and the next number. Grounds have none. */
export function freshLabel(doc: CircuitDocument, kind: string): string {
  const { prefix } = kindOf({ kind });
  if (kind === "ground") {
    return "";
  }
  const pattern = new RegExp(`^${prefix}(\\d+)$`, "u");
  const used = doc.parts.map((part) => Number(pattern.exec(String(part.settings["label"]))?.[1] ?? 0));
  return `${prefix}${Math.max(0, ...used) + 1}`;
}

function movedPoints(doc: CircuitDocument, ids: Selection): Set<string> {
  const pins = doc.parts.filter(({ id }) => ids.has(id)).flatMap(placedPins);
  const wires = doc.wires.filter(({ id }) => ids.has(id));
  const points = [...pins.map(({ at }) => at), ...wires.flatMap(({ from, to }) => [from, to])];
  return new Set(points.map(pointKey));
}

/** Changes parts in place around their middles and takes the ends of wires on their pins along. */
function reshape(doc: CircuitDocument, ids: Selection, change: (part: Part) => void): void {
  for (const part of doc.parts.filter(({ id }) => ids.has(id))) {
    const before = placedPins(part);
    const middle = middleOf(boxOf(part));
    change(part);
    // A part with a single pin turns around that pin, so that it stays where it is joined.
    if (before.length > 1) {
      const moved = middleOf(boxOf(part));
      part.at = [part.at[0] + Math.trunc(middle[0] - moved[0]), part.at[1] + Math.trunc(middle[1] - moved[1])];
    }
    carryEnds(doc, before, placedPins(part));
  }
  dropEmptyWires(doc);
}

function carryEnds(
  doc: CircuitDocument,
  before: ReturnType<typeof placedPins>,
  after: ReturnType<typeof placedPins>,
): void {
  const to = new Map<string, Point>();
  for (const { pin, at } of before) {
    const place = after.find((each) => each.pin === pin)?.at;
    if (place !== undefined) {
      to.set(pointKey(at), place);
    }
  }
  for (const wire of doc.wires) {
    const [from, end] = [to.get(pointKey(wire.from)), to.get(pointKey(wire.to))];
    wire.from = from === undefined ? wire.from : [from[0], from[1]];
    wire.to = end === undefined ? wire.to : [end[0], end[1]];
  }
}

function dropEmptyWires(doc: CircuitDocument): void {
  doc.wires = doc.wires.filter(({ from, to }) => !samePoint(from, to));
  dropBlindScopes(doc);
}

function dropBlindScopes(doc: CircuitDocument): void {
  const ids = new Set([...doc.parts, ...doc.wires].map(({ id }) => id));
  doc.scopes = doc.scopes.filter(({ probe }) => ids.has("part" in probe ? probe.part : probe.wire));
}

function sum(a: Point, b: Point): [number, number] {
  return [a[0] + b[0], a[1] + b[1]];
}
