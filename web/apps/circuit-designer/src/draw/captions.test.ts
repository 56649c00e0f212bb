import { expect, test } from "vitest";
import { type CircuitDocument, type Point, type Turn, blank } from "../model/document";
import { addPart, addWire } from "../model/edits";
import { captionsOf } from "./captions";
import type { View } from "./view";

const VIEW: View = { unit: 16, origin: [0, 0] };

function drawing(...parts: [kind: string, at: Point, turn: Turn][]): CircuitDocument {
  const doc = blank();
  parts.forEach(([kind, at, turn]) => addPart(doc, { kind, at, turn, flip: false }));
  return doc;
}

/** The captions with their places, all letters seven pixels wide. */
function told(doc: CircuitDocument): string[] {
  const lines = captionsOf(doc, VIEW, [0, 0, 800, 600], (text) => text.length * 7);
  return lines.map(({ text, at, style }) => `${text} ${at} ${style.align}`);
}

test("a lying part has its label above and its value below", () => {
  expect(told(drawing(["resistor", [10, 10], 0]))).toEqual(["R1 192,141 center", "1 kΩ 192,180 center"]);
});

test("at the canvas's top both go below", () => {
  expect(told(drawing(["resistor", [10, 1], 0]))).toEqual(["R1 192,36 center", "1 kΩ 192,51 center"]);
});

test("a standing part's words change sides for a neighbour", () => {
  expect(told(drawing(["resistor", [10, 10], 1]))).toEqual(["R1 181,184.5 left", "1 kΩ 181,199.5 left"]);
  expect(told(drawing(["resistor", [10, 10], 1], ["resistor", [13, 10], 1])).slice(0, 2)).toEqual([
    "R1 139,184.5 right",
    "1 kΩ 139,199.5 right",
  ]);
});

test("a wire is dodged where there is a free side, and two captions are never on one spot", () => {
  const doc = drawing(["and", [10, 10], 0]);
  addWire(doc, [6, 7], [20, 7]);
  expect(told(doc)).toEqual(["G1 192,196 center"]);
  const stack = drawing(["resistor", [10, 10], 0], ["resistor", [10, 13], 0]);
  expect(new Set(told(stack)).size).toBe(4);
});
