import { expect, test } from "vitest";
import { KINDS } from "../model/catalogue";
import { searchKinds } from "../model/search";
import { componentMenus } from "./menus";

test("the menus offer every kind of the catalogue once", () => {
  const picked: string[] = [];
  for (const menu of componentMenus((kind) => picked.push(kind))) {
    menu.items?.forEach((item) => item.onPick?.());
  }
  expect(picked.toSorted()).toEqual(KINDS.map(({ kind }) => kind).toSorted());
});

test("the menus have the catalogue's names", () => {
  expect(
    componentMenus(() => {}).map(({ label, items }) => `${label}: ${items?.map((item) => item.label).join(", ")}`),
  ).toEqual([
    "Wires & sources: Ground, DC Source (2-terminal), AC Source (2-terminal), DC Source (1-terminal), AC Source (1-terminal)",
    "Passive: Resistor, Capacitor, Inductor",
    "Semiconductors: Diode, NPN Transistor, PNP Transistor",
    "Amplifiers & chips: Op-Amp, 555 Timer, JK Flip-Flop",
    "Logic gates: AND, OR, NAND, NOR, XOR, XNOR, NOT",
    "Inputs & outputs: Logic Input, Logic Output, Clock",
  ]);
});

test("components are found by name first", () => {
  expect(
    searchKinds("or")
      .map(({ name }) => name)
      .slice(0, 2),
  ).toEqual(["OR", "Resistor"]);
  expect(searchKinds("nand")[0]?.kind).toBe("nand");
  expect(searchKinds("555")[0]?.kind).toBe("timer555");
  expect(searchKinds("zzz")).toEqual([]);
  expect(searchKinds("")).toHaveLength(KINDS.length);
});
