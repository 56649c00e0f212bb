import { expect, test } from "vitest";
import { blank } from "../model/document";
import { addPart } from "../model/edits";
import { Simulation, hasTime } from "./simulation";

function drawing(kind: string) {
  const doc = blank();
  addPart(doc, { kind, at: [0, 0], turn: 0, flip: false });
  return doc;
}

function played(kind: string, frames: readonly number[], isRunning = true): number {
  const simulation = new Simulation(() => {});
  for (const nowMs of frames) {
    simulation.frame(nowMs, drawing(kind), isRunning, () => []);
  }
  return simulation.time;
}

test("time goes on at the document's speed", () => {
  expect(played("resistor", [1000, 1100, 1300])).toBeCloseTo(0.03, 12);
});

test("time stands still while paused and for logic alone", () => {
  expect(played("resistor", [1000, 2000], false)).toBe(0);
  expect(played("nand", [1000, 2000])).toBe(0);
  expect(hasTime(blank())).toBe(false);
});

test("frames drawn in between do not change the time", () => {
  expect(played("resistor", [1000, 1001, 1100, 1101, 1102, 1200])).toBe(played("resistor", [1000, 1100, 1200]));
});

test("the blur that browsers put on frame times is taken away", () => {
  const exact = [1000, 1016.6667, 1033.3333, 1050, 1150];
  const blurred = [1000.1, 1016.6, 1033.4, 1049.9, 1150.1];
  expect(played("resistor", blurred)).toBe(played("resistor", exact));
});
