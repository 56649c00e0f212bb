import { expect, test } from "vitest";
import { blank } from "./document";
import { addPart, addScope, addWire } from "./edits";
import { readDocument, writeDocument } from "./read";

test("a written drawing is read back", () => {
  const doc = blank();
  addPart(doc, { kind: "opamp", at: [4, 4], turn: 2, flip: true });
  addWire(doc, [0, 0], [4, 0]);
  addScope(doc, { wire: "w1" });
  expect(readDocument(writeDocument(doc))).toEqual({ document: doc });
});

test("settings that are missing or odd get their defaults", () => {
  const text = '{"parts":[{"id":"p1","kind":"resistor","at":[1,2],"settings":{"resistance":"many"}}],"wires":[]}';
  const read = readDocument(text);
  expect(read).toMatchObject({
    document: { parts: [{ turn: 0, flip: false, settings: { resistance: 1000, label: "" } }] },
  });
});

test.each([
  ["{", "This is not JSON."],
  ["[]", "Expected an object for the drawing."],
  ["{}", "Expected a list of parts."],
  ['{"parts":[{"id":"p1","kind":"lamp"}],"wires":[]}', "Part p1 is of an unknown kind: lamp."],
  ['{"parts":[],"wires":[{"id":"w1","from":[0,0.5],"to":[1,1]}]}', "The place of wire w1 must be two whole numbers."],
  ['{"parts":[],"wires":[{"id":"x","from":[0,0],"to":[1,1]}]}', "An id must be w and a number, not x."],
])("%s is refused: %s", (text, problem) => {
  expect(readDocument(text)).toEqual({ problem });
});
