import { expect, test } from "vitest";
import { KINDS } from "./catalogue";
import { type CircuitDocument, blank } from "./document";
import * as edits from "./edits";

function divider(): CircuitDocument {
  const doc = blank();
  edits.addPart(doc, { kind: "resistor", at: [4, 4], turn: 0, flip: false });
  edits.addPart(doc, { kind: "resistor", at: [12, 4], turn: 0, flip: false });
  edits.addWire(doc, [8, 4], [12, 4]);
  return doc;
}

function wires(doc: CircuitDocument): string[] {
  return doc.wires.map(({ id, from, to }) => `${id} ${from} to ${to}`);
}

test("a new part has every setting at its default and a label of its own", () => {
  expect(divider().parts.map(({ id, settings }) => ({ id, ...settings }))).toEqual([
    { id: "p1", label: "R1", resistance: 1000 },
    { id: "p2", label: "R2", resistance: 1000 },
  ]);
  const doc = blank();
  edits.addPart(doc, { kind: "ground", at: [0, 0], turn: 0, flip: false });
  expect(doc.parts[0]?.settings["label"]).toBe("");
});

test("a wire without length, or drawn twice, is not made", () => {
  const doc = divider();
  expect(edits.addWire(doc, [1, 1], [1, 1])).toBeNull();
  expect(edits.addWire(doc, [12, 4], [8, 4])).toBeNull();
  expect(doc.wires).toHaveLength(1);
});

test("an elbow is two wires, or one where it is straight", () => {
  const doc = blank();
  edits.addElbow(doc, [0, 0], [4, 3]);
  edits.addElbow(doc, [9, 0], [9, 3]);
  expect(wires(doc)).toEqual(["w1 0,0 to 4,0", "w2 4,0 to 4,3", "w3 9,0 to 9,3"]);
});

test("wire ends go along with a part that moves", () => {
  const doc = divider();
  edits.moveBy(doc, new Set(["p1"]), [1, -2]);
  expect(doc.parts[0]?.at).toEqual([5, 2]);
  expect(wires(doc)).toEqual(["w1 9,2 to 12,4"]);
});

test("a wire whose ends meet after a move is gone", () => {
  const doc = divider();
  edits.addScope(doc, { wire: "w1" });
  edits.moveBy(doc, new Set(["p1"]), [4, 0]);
  expect(doc.wires).toEqual([]);
  expect(doc.scopes).toEqual([]);
});

test("a part turns around its middle and keeps its wires", () => {
  const doc = divider();
  edits.rotate(doc, new Set(["p1"]));
  expect(doc.parts[0]).toMatchObject({ at: [6, 2], turn: 1 });
  expect(wires(doc)).toEqual(["w1 6,6 to 12,4"]);
});

test("flipping a part with its ends in line swaps them and leaves the wires", () => {
  const doc = blank();
  edits.addPart(doc, { kind: "diode", at: [4, 4], turn: 1, flip: false });
  edits.addWire(doc, [4, 8], [9, 8]);
  edits.flip(doc, new Set(["p1"]));
  expect(doc.parts[0]).toMatchObject({ at: [4, 8], turn: 3, flip: false });
  expect(wires(doc)).toEqual(["w1 4,8 to 9,8"]);
});

test("flipping other parts mirrors them with their wires, and twice brings every kind back", () => {
  const doc = blank();
  edits.addPart(doc, { kind: "opamp", at: [4, 4], turn: 0, flip: false });
  edits.addWire(doc, [1, 3], [4, 3]);
  edits.flip(doc, new Set(["p1"]));
  expect(doc.parts[0]).toMatchObject({ at: [4, 4], turn: 0, flip: true });
  expect(wires(doc)).toEqual(["w1 1,3 to 4,5"]);
  for (const { kind } of KINDS) {
    const one = blank();
    edits.addPart(one, { kind, at: [7, 9], turn: 0, flip: false });
    const before = structuredClone(one);
    edits.flip(one, new Set(["p1"]));
    expect(one).not.toEqual(before);
    edits.flip(one, new Set(["p1"]));
    expect(one).toEqual(before);
  }
});

test("four turns bring every kind of part back", () => {
  for (const kind of ["resistor", "logicInput", "dcRail", "timer555", "npn", "and"]) {
    const doc = blank();
    edits.addPart(doc, { kind, at: [7, 9], turn: 0, flip: false });
    const before = structuredClone(doc);
    for (let turn = 0; turn < 4; turn += 1) {
      edits.rotate(doc, new Set(["p1"]));
    }
    expect(doc).toEqual(before);
  }
});

test("more inputs move the pins and the wires on them", () => {
  const doc = blank();
  edits.addPart(doc, { kind: "and", at: [10, 10], turn: 0, flip: false });
  edits.addWire(doc, [4, 9], [10, 9]);
  edits.set(doc, "p1", { inputs: "3" });
  expect(wires(doc)).toEqual(["w1 4,9 to 10,8"]);
});

test("deleting a part takes the scopes that look at it", () => {
  const doc = divider();
  edits.addScope(doc, { part: "p1", pin: "a" });
  edits.addScope(doc, { wire: "w1" });
  edits.remove(doc, new Set(["p1"]));
  expect(doc.scopes.map(({ id }) => id)).toEqual(["s2"]);
  expect(doc.wires).toHaveLength(1);
});

test("a click changes the level of a logic input and of nothing else", () => {
  const doc = divider();
  edits.addPart(doc, { kind: "logicInput", at: [0, 0], turn: 0, flip: false });
  edits.toggleLevel(doc, "p3");
  edits.toggleLevel(doc, "p1");
  expect(doc.parts.map(({ settings }) => settings["level"])).toEqual([undefined, undefined, "high"]);
});

test("measures keep their order and there are at most four scopes", () => {
  const doc = divider();
  for (let count = 0; count < 6; count += 1) {
    edits.addScope(doc, { wire: "w1" });
  }
  expect(doc.scopes.map(({ id }) => id)).toEqual(["s1", "s2", "s3", "s4"]);
  for (const measure of ["min", "frequency", "duty", "min"] as const) {
    edits.toggleMeasure(doc, "s2", measure);
  }
  expect(doc.scopes[1]?.show).toEqual(["frequency", "duty"]);
});

test("pasted parts and wires have ids and labels of their own", () => {
  const doc = divider();
  expect(edits.paste(doc, structuredClone(doc), [0, 4])).toEqual(["p3", "p4", "w2"]);
  expect(doc.parts[3]).toMatchObject({ at: [12, 8], settings: { label: "R4" } });
  expect(wires(doc)[1]).toBe("w2 8,8 to 12,8");
});
