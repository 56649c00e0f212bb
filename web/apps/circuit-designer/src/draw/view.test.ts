import { expect, test } from "vitest";
import { blank } from "../model/document";
import { isIn, layoutOf } from "./layout";
import { fitted, nextUnit, toGrid, toPixel, zoomed } from "./view";

test("zooming keeps the point under the pointer and stays on whole pixels", () => {
  const view = zoomed({ unit: 16, origin: [33, -7] }, 24, [200, 100]);
  expect(view).toEqual({ unit: 24, origin: [-50, -60] });
  expect(toGrid(view, [200, 100])[0]).toBeCloseTo((200 - 33) / 16, 1);
});

test("zoom levels end at both ends of the scale", () => {
  expect([nextUnit(16, 1), nextUnit(32, 1), nextUnit(8, -1), nextUnit(12, -1)]).toEqual([24, 32, 8, 8]);
});

test("a drawing is fitted into the middle at the largest level that shows it whole", () => {
  const view = fitted([10, 10, 50, 30], 1280, 600);
  expect(view.unit).toBe(16);
  expect(toPixel(view, [30, 20])).toEqual([640, 300]);
  expect(fitted([0, 0, 400, 300], 1280, 600).unit).toBe(8);
});

test("scopes share the dock and the drawing keeps the rest", () => {
  const doc = blank();
  doc.scopes = [
    { id: "s1", probe: { wire: "w1" }, show: ["frequency", "duty"] },
    { id: "s2", probe: { wire: "w1" }, show: [] },
  ];
  const { drawing, readout, scopes } = layoutOf(doc, [1280, 612]);
  expect(readout).toEqual([1008, 430, 264, 174]);
  expect(drawing).toEqual([0, 0, 1280, 422]);
  expect(scopes.map(({ frame }) => frame)).toEqual([
    [8, 430, 492, 174],
    [508, 430, 492, 174],
  ]);
  expect(scopes[0]?.measures.map(({ at }) => at)).toEqual([
    [18, 466],
    [18, 486],
  ]);
  expect(
    scopes
      .flatMap(({ menu, shorter, longer, plot }) => [menu, shorter, longer, plot])
      .flat()
      .every(Number.isInteger),
  ).toBe(true);
  expect(isIn([0, 0, 10, 10], [9, 9]) && !isIn([0, 0, 10, 10], [10, 0])).toBe(true);
});
