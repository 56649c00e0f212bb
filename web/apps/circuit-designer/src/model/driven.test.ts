import { expect, test } from "vitest";
import { type CircuitDocument, type Point, blank } from "./document";
import { openInputs } from "./driven";
import { addPart, addWire } from "./edits";

/** Parts as "kind x,y" and wires as "x,y to x,y". */
function drawing(parts: readonly string[], wires: readonly string[] = []): CircuitDocument {
  const doc = blank();
  for (const part of parts) {
    const [kind, at] = part.split(" ");
    addPart(doc, { kind: kind!, at: point(at!), turn: 0, flip: false });
  }
  for (const wire of wires) {
    const [from, to] = wire.split(" to ");
    addWire(doc, point(from!), point(to!));
  }
  return doc;
}

function point(text: string): Point {
  return text.split(",").map(Number) as [number, number];
}

function open(doc: CircuitDocument): string[] {
  return openInputs(doc).map(({ part, pin }) => `${part}.${pin}`);
}

test("inputs that nothing drives are open", () => {
  expect(open(drawing(["and 10,10", "logicOutput 20,20", "resistor 30,30"]))).toEqual(["p1.in1", "p1.in2", "p2.in"]);
});

test("a wire to another input drives nothing, one to an output does", () => {
  const gates = ["and 10,10", "logicInput 4,9"];
  expect(open(drawing(gates, ["10,9 to 10,11"]))).toEqual(["p1.in1", "p1.in2"]);
  expect(open(drawing(gates, ["10,9 to 10,11", "4,9 to 10,9"]))).toEqual([]);
});

test("a pin on a pin is joined as well", () => {
  expect(open(drawing(["not 10,10", "logicInput 10,10", "logicOutput 14,10"]))).toEqual([]);
});

test("an amplifier's inputs are driven by any other part", () => {
  expect(open(drawing(["opamp 10,10", "resistor 6,9"]))).toEqual(["p1.plus"]);
});
