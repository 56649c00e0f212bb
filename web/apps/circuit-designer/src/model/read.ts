import { defaultSettings, findKind } from "./catalogue";
import {
  type CircuitDocument,
  MEASURES,
  MOST_SCOPES,
  type Part,
  type Probe,
  SPEEDS,
  type Scope,
  type SettingValue,
  type Wire,
} from "./document";

/** What came of reading a text: a drawing, or a sentence that says what is wrong with it. */
export type Read = { document: CircuitDocument } | { problem: string };

/** Reads a drawing from the text that an export wrote. */
export function readDocument(text: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "This is not JSON." };
  }
  return readValue(value);
}

/** Reads a drawing from a JSON value. Settings that are missing get their defaults. */
export function readValue(value: unknown): Read {
  try {
    return { document: documentOf(record(value, "the drawing")) };
  } catch (error) {
    return { problem: error instanceof Problem ? error.message : "This is not a drawing." };
  }
}

/** Writes a drawing as text: JSON with one part, wire or scope per line. */
export function writeDocument(doc: CircuitDocument): string {
  const lines = (things: readonly unknown[]) =>
    things.length === 0 ? "[]" : `[\n${things.map((thing) => `    ${JSON.stringify(thing)}`).join(",\n")}\n  ]`;
  const fields = [
    `"parts": ${lines(doc.parts)}`,
    `"wires": ${lines(doc.wires)}`,
    `"scopes": ${lines(doc.scopes)}`,
    `"speed": ${doc.speed}`,
  ];
  return `{\n  ${fields.join(",\n  ")}\n}\n`;
}

class Problem extends Error {}

type Loose = Readonly<Record<string, unknown>>;

function documentOf(value: Loose): CircuitDocument {
  const parts = list(value["parts"], "parts").map(partOf);
  const wires = list(value["wires"], "wires").map(wireOf);
  const ids = [...parts, ...wires].map(({ id }) => id);
  if (new Set(ids).size !== ids.length) {
    throw new Problem("Two things have the same id.");
  }
  const scopes = list(value["scopes"] ?? [], "scopes")
    .map(scopeOf)
    .slice(0, MOST_SCOPES);
  const speed = SPEEDS.find((each) => each === value["speed"]) ?? 0.1;
  return { parts, wires, scopes, speed };
}

function partOf(value: unknown): Part {
  const part = record(value, "a part");
  const id = idOf(part["id"], "p");
  const kind = findKind(String(part["kind"]));
  if (kind === undefined) {
    throw new Problem(`Part ${id} is of an unknown kind: ${String(part["kind"])}.`);
  }
  const turn = [0, 1, 2, 3].includes(Number(part["turn"])) ? (Number(part["turn"]) as Part["turn"]) : 0;
  const given = record(part["settings"] ?? {}, `the settings of part ${id}`);
  const settings = defaultSettings(kind);
  for (const { key, default: usual } of kind.settings) {
    settings[key] = typeof given[key] === typeof usual ? (given[key] as SettingValue) : usual;
  }
  return { id, kind: kind.kind, at: point(part["at"], `part ${id}`), turn, flip: part["flip"] === true, settings };
}

function wireOf(value: unknown): Wire {
  const wire = record(value, "a wire");
  const id = idOf(wire["id"], "w");
  return { id, from: point(wire["from"], `wire ${id}`), to: point(wire["to"], `wire ${id}`) };
}

function scopeOf(value: unknown): Scope {
  const scope = record(value, "a scope");
  const id = idOf(scope["id"], "s");
  const probe = record(scope["probe"], `the probe of scope ${id}`);
  const place: Probe =
    "wire" in probe ? { wire: String(probe["wire"]) } : { part: String(probe["part"]), pin: String(probe["pin"]) };
  const show = list(scope["show"] ?? [], `measures of scope ${id}`);
  return { id, probe: place, show: MEASURES.filter((measure) => show.includes(measure)) };
}

function record(value: unknown, what: string): Loose {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Problem(`Expected an object for ${what}.`);
  }
  return value as Loose;
}

function list(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) {
    throw new Problem(`Expected a list of ${what}.`);
  }
  return value;
}

function idOf(value: unknown, letter: string): string {
  if (typeof value !== "string" || !new RegExp(`^${letter}\\d+$`, "u").test(value)) {
    throw new Problem(`An id must be ${letter} and a number, not ${String(value)}.`);
  }
  return value;
}

function point(value: unknown, what: string): [number, number] {
  const [x, y] = Array.isArray(value) ? (value as unknown[]) : [];
  if (!Number.isInteger(x) || !Number.isInteger(y)) {
    throw new Problem(`The place of ${what} must be two whole numbers.`);
  }
  return [x as number, y as number];
}
