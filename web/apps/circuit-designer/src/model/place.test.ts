import { expect, test } from "vitest";
import type { Part, Turn } from "./document";
import { boxOf, extentOf, placedPins, turned } from "./place";

function part(kind: string, turn: Turn, flip: boolean): Part {
  return { id: "p1", kind, at: [10, 20], turn, flip, settings: { inputs: "2" } };
}

function pins(kind: string, turn: Turn, flip = false): string {
  return placedPins(part(kind, turn, flip))
    .map(({ pin, at }) => `${pin} ${at[0]},${at[1]}`)
    .join(" ");
}

test("pins turn clockwise around the part's place", () => {
  expect(pins("resistor", 0)).toBe("a 10,20 b 14,20");
  expect(pins("resistor", 1)).toBe("a 10,20 b 10,24");
  expect(pins("resistor", 2)).toBe("a 10,20 b 6,20");
  expect(pins("resistor", 3)).toBe("a 10,20 b 10,16");
});

test("a flip swaps the two sides before the turn", () => {
  expect(pins("opamp", 0)).toBe("minus 10,19 plus 10,21 out 14,20");
  expect(pins("opamp", 0, true)).toBe("minus 10,21 plus 10,19 out 14,20");
  expect(pins("opamp", 1)).toBe("minus 11,20 plus 9,20 out 10,24");
  expect(pins("opamp", 1, true)).toBe("minus 9,20 plus 11,20 out 10,24");
});

test("four turns come back, without negative nought", () => {
  for (const turn of [0, 1, 2, 3] as const) {
    expect(turned([0, 0], turn, true)).toEqual([0, 0]);
  }
  expect(turned(turned([3, -2], 1, false), 3, false)).toEqual([3, -2]);
});

test("boxes turn along", () => {
  expect(boxOf(part("ground", 0, false))).toEqual([9, 20, 11, 22]);
  expect(boxOf(part("ground", 1, false))).toEqual([8, 19, 10, 21]);
  expect(boxOf(part("ground", 0, true))).toEqual([9, 18, 11, 20]);
});

test("the extent holds parts and wires", () => {
  expect(extentOf({ parts: [], wires: [], scopes: [], speed: 1 })).toBeNull();
  const wires = [{ id: "w1", from: [30, 1] as [number, number], to: [12, 5] as [number, number] }];
  expect(extentOf({ parts: [part("resistor", 0, false)], wires, scopes: [], speed: 1 })).toEqual([10, 1, 30, 21]);
});
