import { expect, test } from "vitest";
import { type CircuitDocument, blank } from "./document";
import * as edits from "./edits";
import { type Hanging, copyOf, flipped, newPart, placedThings, rotated } from "./hanging";
import { placedPins } from "./place";

function pins(hanging: Hanging): string[] {
  return placedThings(hanging)
    .parts.flatMap(placedPins)
    .map(({ pin, at }) => `${pin} ${at}`);
}

function pair(): CircuitDocument {
  const doc = blank();
  edits.addPart(doc, { kind: "npn", at: [4, 4], turn: 1, flip: false });
  edits.addPart(doc, { kind: "diode", at: [10, 4], turn: 0, flip: false });
  edits.addWire(doc, [4, 4], [10, 4]);
  return doc;
}

test("a new component hangs by its origin and turns around it", () => {
  const diode = newPart(blank(), "diode", [20, 10]);
  expect(pins(diode)).toEqual(["anode 20,10", "cathode 24,10"]);
  expect(pins(rotated(diode))).toEqual(["anode 20,10", "cathode 20,14"]);
  expect(pins(flipped(diode))).toEqual(["anode 24,10", "cathode 20,10"]);
});

test("a copy of one part hangs by its origin, with its settings", () => {
  const doc = pair();
  edits.set(doc, "p1", { beta: 250 });
  const copy = copyOf({ parts: doc.parts.slice(0, 1), wires: [] }, [30, 30]);
  expect(placedThings(copy).parts[0]).toMatchObject({ at: [30, 30], turn: 1, settings: { beta: 250 } });
});

test("several things keep together when they are turned and flipped", () => {
  for (const change of [rotated, flipped, (it: Hanging) => rotated(flipped(rotated(it)))]) {
    const { parts, wires } = placedThings(change(copyOf(pair(), [0, 0])));
    const places = parts.flatMap(placedPins);
    expect(places.find(({ pin }) => pin === "base")?.at).toEqual(wires[0]?.from);
    expect(places.find(({ pin }) => pin === "anode")?.at).toEqual(wires[0]?.to);
  }
});

test("flipping several things twice brings them back", () => {
  const copy = copyOf(pair(), [3, 3]);
  expect(flipped(flipped(copy))).toEqual(copy);
  expect(pins(flipped(copy))).not.toEqual(pins(copy));
});
