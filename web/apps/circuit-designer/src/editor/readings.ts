import { isTwoTerminal, kindOf, pinsOf } from "../model/catalogue";
import type { CircuitDocument, Measure, Part } from "../model/document";
import { openKeys } from "../model/driven";
import { formatValue } from "../model/values";
import { type Answer, type ScopeAnswer, pinLevel, pinVolts, voltsAt } from "./answer";
import type { Target } from "./target";

/** One row of the information panel: `name = text`. */
export interface Row {
  name: string;
  text: string;
}

/** What the information panel says about a thing. */
export interface Reading {
  title: string;
  label: string;
  rows: Row[];
}

/** What is known about the thing under the pointer. */
export function readingOf(doc: CircuitDocument, answer: Answer | null, target: Target): Reading | null {
  if (target.type === "wire" || target.type === "end") {
    return { title: "Wire", label: target.wire, rows: [row("V", voltsAt(answer, target.wire), "V")] };
  }
  const part = doc.parts.find(({ id }) => id === target.part);
  if (part === undefined) {
    return null;
  }
  const label = String(part.settings["label"] ?? "");
  if (target.type === "pin") {
    const rows = [row("V", pinVolts(answer, part.id, target.pin), "V")];
    return { title: `${kindOf(part).name}: ${pinWord(target.pin)}`, label, rows };
  }
  return { title: kindOf(part).name, label, rows: rowsOf(part, answer, openKeys(doc)) };
}

/** The name of a pin as people write it. */
export function pinWord(pin: string): string {
  const words: Readonly<Record<string, string>> = {
    notQ: "not Q",
    j: "J",
    k: "K",
    q: "Q",
    clk: "CLK",
    plus: "+",
    minus: "-",
  };
  return words[pin] ?? pin;
}

/** A measure of a scope as a line of text: `f = 260.4 Hz`, or `f = ...` while it is not known. */
export function measureText(measure: Measure, scope: ScopeAnswer | undefined): string {
  const [name, value, unit] = measureParts(measure, scope);
  return `${name} = ${value === null || value === undefined ? "..." : formatValue(value, unit)}`;
}

function measureParts(measure: Measure, scope: ScopeAnswer | undefined): [string, number | null | undefined, string] {
  switch (measure) {
    case "frequency":
      return ["f", scope?.frequency, "Hz"];
    case "duty":
      return ["duty", scope?.duty === null || scope?.duty === undefined ? null : scope.duty * 100, "%"];
    case "peak_to_peak":
      return ["Vpp", scope?.peak_to_peak, "V"];
    case "max":
      return ["max", scope?.max, "V"];
    case "min":
      return ["min", scope?.min, "V"];
  }
}

function row(name: string, value: number | undefined, unit: string): Row {
  return { name, text: value === undefined ? "..." : formatValue(value, unit) };
}

function rowsOf(part: Part, answer: Answer | null, open: ReadonlySet<string>): Row[] {
  const volts = (pin: string) => pinVolts(answer, part.id, pin);
  if (isTwoTerminal(part.kind)) return twoTerminalRows(part, answer);
  switch (part.kind) {
    case "opamp":
      return [row("Vout", volts("out"), "V"), row("V+", volts("plus"), "V"), row("V-", volts("minus"), "V")];
    case "npn":
    case "pnp":
      return transistorRows(part, answer);
    case "timer555":
      return chipRows(part, answer, { Vout: "out", Vthr: "threshold", Vtrg: "trigger", Vdis: "discharge", Vcc: "vcc" });
    case "dcRail":
    case "acRail":
    case "clock":
      return [row("V", volts("out"), "V")];
    case "ground":
      return [row("V", volts("a"), "V")];
    default:
      return levelRows(part, answer, open);
  }
}

function difference(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a - b;
}

/** Current and drop are shown without a sign, since a part's own direction is not seen on the drawing. */
function twoTerminalRows(part: Part, answer: Answer | null): Row[] {
  const [first, second] = pinsOf(part).map((pin) => pinVolts(answer, part.id, pin.name));
  const drop = difference(first, second);
  const current = answer?.currents[part.id];
  const power = drop === undefined || current === undefined ? undefined : drop * current;
  const magnitude = (value: number | undefined) => (value === undefined ? undefined : Math.abs(value));
  return [row("I", magnitude(current), "A"), row("Vd", magnitude(drop), "V"), row("P", magnitude(power), "W")];
}

function transistorRows(part: Part, answer: Answer | null): Row[] {
  const [base, collector, emitter] = ["base", "collector", "emitter"].map((pin) => pinVolts(answer, part.id, pin));
  const rows = [
    row("Vbe", difference(base, emitter), "V"),
    row("Vbc", difference(base, collector), "V"),
    row("Vce", difference(collector, emitter), "V"),
  ];
  for (const [name, pin] of [
    ["Ic", "collector"],
    ["Ib", "base"],
  ] as const) {
    const current = answer?.currents[`${part.id}.${pin}`];
    if (current !== undefined) {
      rows.push(row(name, current, "A"));
    }
  }
  return rows;
}

function chipRows(part: Part, answer: Answer | null, pins: Readonly<Record<string, string>>): Row[] {
  return Object.entries(pins).map(([name, pin]) => row(name, pinVolts(answer, part.id, pin), "V"));
}

/** Levels of a logic part; an input that nothing drives has none. */
function levelRows(part: Part, answer: Answer | null, open: ReadonlySet<string>): Row[] {
  return pinsOf(part).map(({ name }) => {
    const level = pinLevel(answer, part.id, name) ?? "...";
    return { name: pinWord(name), text: open.has(`${part.id}.${name}`) ? "?" : level };
  });
}
