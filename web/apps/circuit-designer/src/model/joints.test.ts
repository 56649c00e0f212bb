import { expect, test } from "vitest";
import { type CircuitDocument, type Point, blank } from "./document";
import { addWire } from "./edits";
import { junctions, looseEnds, snapped, splitAt } from "./joints";

function wired(...wires: readonly (readonly [Point, Point])[]): CircuitDocument {
  const doc = blank();
  for (const [from, to] of wires) {
    doc.wires.push({ id: `w${doc.wires.length + 1}`, from: [from[0], from[1]], to: [to[0], to[1]] });
  }
  return doc;
}

function written(doc: CircuitDocument): string[] {
  return doc.wires.map(({ id, from, to }) => `${id} ${from} to ${to}`);
}

test("an end goes to the nearest pin or wire end in reach", () => {
  const doc = wired(
    [
      [0, 0],
      [4, 0],
    ],
    [
      [4, 2],
      [8, 2],
    ],
  );
  expect(snapped(doc, [4.3, 0.4], 0.75)).toEqual([4, 0]);
  expect(snapped(doc, [4.2, 1.5], 0.75)).toEqual([4, 2]);
  expect(snapped(doc, [5, 1.1], 0.75)).toEqual([5, 1]);
});

test("an end goes to the inside of a wire when no end is in reach", () => {
  const doc = wired([
    [0, 0],
    [8, 4],
  ]);
  expect(snapped(doc, [4.2, 1.6], 0.75)).toEqual([4, 2]);
  // Here no grid point of the slanted wire is near, so the nearest grid point is taken.
  expect(snapped(doc, [3.1, 1.6], 0.75)).toEqual([3, 2]);
});

test("a wire dropped on the middle of another splits it", () => {
  const doc = wired([
    [0, 0],
    [8, 0],
  ]);
  addWire(doc, [4, 5], [4, 0]);
  expect(written(doc)).toEqual(["w1 0,0 to 4,0", "w2 4,0 to 8,0", "w3 4,5 to 4,0"]);
  expect(junctions(doc)).toEqual([[4, 0]]);
  expect(looseEnds(doc)).toEqual([
    [0, 0],
    [8, 0],
    [4, 5],
  ]);
});

test("a wire that starts on the middle of another splits it as well", () => {
  const doc = wired([
    [0, 0],
    [8, 0],
  ]);
  addWire(doc, [3, 0], [3, 7]);
  expect(written(doc)).toEqual(["w1 0,0 to 3,0", "w2 3,0 to 8,0", "w3 3,0 to 3,7"]);
});

test("crossing wires are not joined", () => {
  const doc = wired([
    [0, 0],
    [8, 0],
  ]);
  addWire(doc, [4, -4], [4, 4]);
  expect(written(doc)).toEqual(["w1 0,0 to 8,0", "w2 4,-4 to 4,4"]);
  expect(junctions(doc)).toEqual([]);
});

test("a wire that happens to pass over an end stays whole", () => {
  const doc = wired(
    [
      [0, 0],
      [8, 0],
    ],
    [
      [4, 0],
      [4, 3],
    ],
  );
  splitAt(doc, [4, 0]);
  expect(doc.wires).toHaveLength(2);
});
