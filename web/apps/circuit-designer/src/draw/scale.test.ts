import { expect, test } from "vitest";
import { scaleOf } from "./scale";

function told(least: number, most: number): string {
  const { bottom, step, line } = scaleOf([least, most], 8);
  return `${Number(bottom.toPrecision(6))} by ${Number(step.toPrecision(6))}, line ${line}`;
}

test("steps are round and nought is marked where it is seen", () => {
  expect(told(0, 5)).toBe("-1 by 1, line 1");
  expect(told(-0.71, 0.71)).toBe("-0.8 by 0.2, line 4");
  expect(told(6.79, 6.83)).toBe("6.77 by 0.01, line 4");
});

test("every trace lies between the edges, flat ones too", () => {
  for (const [least, most] of [
    [0, 0],
    [5, 5],
    [-1e-7, 1e-7],
    [1.2, 1.3],
    [-15, 14.9],
    [999, 1001],
  ] as const) {
    const { bottom, step } = scaleOf([least, most], 8);
    expect(bottom).toBeLessThan(least);
    expect(bottom + 8 * step).toBeGreaterThan(most);
  }
});
