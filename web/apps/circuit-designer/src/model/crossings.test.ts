import { expect, test } from "vitest";
import { crossings, passedEnds, within } from "./crossings";
import { type CircuitDocument, blank } from "./document";
import { addPart } from "./edits";

/** A gate and wires over it, each as "x,y to x,y". */
function gate(...wires: string[]): CircuitDocument {
  const doc = blank();
  addPart(doc, { kind: "and", at: [10, 10], turn: 0, flip: false });
  doc.wires = wires.map((wire, index) => {
    const [from, to] = wire.split(" to ").map(point);
    return { id: `w${index + 1}`, from: from!, to: to! };
  });
  return doc;
}

function point(text: string): [number, number] {
  return text.split(",").map(Number) as [number, number];
}

function told(doc: CircuitDocument): string[] {
  return crossings(doc).map(
    ({ wire, from, to, isJoined }) => `${wire.id} ${from} to ${to}${isJoined ? " joined" : ""}`,
  );
}

test("the stretch of a wire in a box", () => {
  expect(within({ from: [0, 0], to: [10, 10] }, [2, 0, 4, 10])).toEqual([
    [2, 2],
    [4, 4],
  ]);
  expect(within({ from: [0, 5], to: [10, 5] }, [2, 0, 4, 4])).toBeNull();
  expect(within({ from: [3, 9], to: [3, 1] }, [2, 0, 4, 4])).toEqual([
    [3, 4],
    [3, 1],
  ]);
});

test("a wire over a body crosses it, one along its edge or to its pin does not", () => {
  expect(told(gate("6,10 to 20,10"))).toEqual(["w1 10.1,10 to 13.9,10"]);
  expect(told(gate("10,0 to 10,20", "6,9 to 10,9", "6,12 to 20,12"))).toEqual([]);
});

test("a wire that ends at a pin and goes back over the body is joined", () => {
  expect(told(gate("14,10 to 6,10"))).toEqual(["w1 13.9,10 to 10.1,10 joined"]);
});

test("pins that a wire only passes are told apart from those it ends at", () => {
  expect(passedEnds(gate("10,0 to 10,20", "6,9 to 10,9"), 0.25)).toEqual([
    [10, 9],
    [10, 11],
  ]);
  expect(passedEnds(gate("6,9 to 10,9"), 0.25)).toEqual([]);
});
