import { expect, test } from "vitest";
import { type CircuitDocument, blank } from "../model/document";
import { addPart, addWire } from "../model/edits";
import type { Answer, ScopeAnswer } from "./answer";
import { measureText, readingOf } from "./readings";
import type { Target } from "./target";

function drawing(kind: string): CircuitDocument {
  const doc = blank();
  addPart(doc, { kind, at: [4, 4], turn: 0, flip: false });
  addWire(doc, [20, 0], [24, 0]);
  return doc;
}

function answer(volts: Record<string, number>, currents: Record<string, number> = {}): Answer {
  const names = Object.keys(volts);
  const nets = Object.fromEntries(names.map((name, index) => [name, index]));
  return { problem: null, nets, volts: Object.values(volts), currents, scopes: [] };
}

function written(kind: string, known: Answer | null, target: Target = { type: "part", part: "p1" }): string {
  const reading = readingOf(drawing(kind), known, target);
  return [
    `${reading?.title} ${reading?.label}`,
    ...(reading?.rows ?? []).map(({ name, text }) => `${name} = ${text}`),
  ].join("; ");
}

test("parts with two terminals show current, drop and power without signs", () => {
  const known = answer({ "p1.a": 0, "p1.b": 6.81159 }, { p1: -0.00145 });
  expect(written("resistor", known)).toBe("Resistor R1; I = 1.45 mA; Vd = 6.812 V; P = 9.877 mW");
});

test("an op-amp shows its output first, with its sign", () => {
  const known = answer({ "p1.out": -1.49998, "p1.plus": 0, "p1.minus": 1.5e-5 });
  expect(written("opamp", known)).toBe("Op-Amp U1; Vout = -1.5 V; V+ = 0 V; V- = 15 µV");
});

test("a transistor shows the voltages between its pins", () => {
  const known = answer({ "p1.base": 1.7, "p1.collector": 6, "p1.emitter": 1.05 });
  expect(written("npn", known)).toBe("NPN Transistor Q1; Vbe = 650 mV; Vbc = -4.3 V; Vce = 4.95 V");
});

test("a gate shows levels, and none for inputs that nothing drives", () => {
  const known = answer({ "p1.in1": 5, "p1.in2": 0, "p1.out": 5 });
  expect(written("nand", known)).toBe("NAND G1; in1 = ?; in2 = ?; out = high");
  const doc = drawing("nand");
  addPart(doc, { kind: "logicInput", at: [4, 3], turn: 0, flip: false });
  addWire(doc, [4, 3], [4, 5]);
  const rows = readingOf(doc, known, { type: "part", part: "p1" })?.rows.map(({ text }) => text);
  expect(rows).toEqual(["high", "low", "high"]);
});

test("wires and pins show their voltage", () => {
  expect(written("resistor", answer({ w1: 0.1914 }), { type: "wire", wire: "w1" })).toBe("Wire w1; V = 191.4 mV");
  const pin: Target = { type: "pin", part: "p1", pin: "out", at: [8, 4] };
  expect(written("opamp", answer({ "p1.out": 3 }), pin)).toBe("Op-Amp: out U1; V = 3 V");
});

test("what is not known yet is dots", () => {
  expect(written("capacitor", null)).toBe("Capacitor C1; I = ...; Vd = ...; P = ...");
});

test("measures are lines of text", () => {
  const scope: ScopeAnswer = {
    id: "s1",
    from: 0,
    until: 1,
    low: [],
    high: [],
    min: -0.711,
    max: 0.711,
    frequency: 1589.2,
    duty: 0.576,
    peak_to_peak: 1.4221,
  };
  const lines = (["frequency", "duty", "peak_to_peak", "max", "min"] as const).map((measure) =>
    measureText(measure, scope),
  );
  expect(lines).toEqual(["f = 1.589 kHz", "duty = 57.6 %", "Vpp = 1.422 V", "max = 711 mV", "min = -711 mV"]);
  expect(measureText("frequency", undefined)).toBe("f = ...");
  expect(measureText("duty", { ...scope, duty: null })).toBe("duty = ...");
});
