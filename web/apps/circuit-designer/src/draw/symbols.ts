import { ownBoxOf, pinsOf } from "../model/catalogue";
import type { Part, Point } from "../model/document";
import { gateSymbol } from "./gates";
import { circle, rectangle } from "./path";

/** A drawn outline, in the part's own grid units. */
export interface Shape {
  path: string;
  /** What the outline is filled with: the paper of bodies, the ink of lines, or nothing. */
  fill: "body" | "ink" | "none";
  /** The outline stays upright around this point however the part is turned; its path is relative to the point. */
  upright?: Point;
}

/** A word inside a symbol. It stays upright however the part is turned. */
export interface Word {
  text: string;
  at: Point;
  size: "small" | "large";
  /** The side of the body that the word stands at, in the part's own directions; the middle when absent. */
  side?: "left" | "right" | "top" | "bottom";
  /** A line is drawn over the word, for the inverted output of a flip-flop. */
  barred?: boolean;
}

/** How a kind looks: where each pin's lead ends at the body, the body, and the words in it. */
export interface Symbol {
  leads: Readonly<Record<string, Point>>;
  shapes: readonly Shape[];
  words: readonly Word[];
}

type Look = (part: Pick<Part, "kind" | "settings">) => Symbol;

const line = (path: string): Shape => ({ path, fill: "none" });
const body = (path: string): Shape => ({ path, fill: "body" });
const solid = (path: string): Shape => ({ path, fill: "ink" });

/** The symbol of a part. */
export function symbolOf(part: Pick<Part, "kind" | "settings">): Symbol {
  return (LOOKS[part.kind] ?? plainBox)(part);
}

function plain(leads: Symbol["leads"], ...shapes: Shape[]): Look {
  return () => ({ leads, shapes, words: [] });
}

const SINE = "M -0.5 0 C -0.35 -0.75 -0.15 -0.75 0 0 C 0.15 0.75 0.35 0.75 0.5 0";

/** A voltage source: a circle with what is inside, its positive end marked. */
function source(inside: Shape | null, words: readonly Word[]): Look {
  const shapes = [body(circle(2, 0, 0.95)), ...(inside === null ? [] : [inside])];
  return () => ({ leads: { minus: [1.05, 0], plus: [2.95, 0] }, shapes, words });
}

const LOOKS: Readonly<Record<string, Look>> = {
  resistor: plain(
    { a: [0.9, 0], b: [3.1, 0] },
    line("M 0.9 0 L 1.083 -0.55 L 1.45 0.55 L 1.817 -0.55 L 2.183 0.55 L 2.55 -0.55 L 2.917 0.55 L 3.1 0"),
  ),
  capacitor: (part) => ({
    leads: { a: [1.75, 0], b: [2.25, 0] },
    shapes: [line("M 1.75 -0.85 L 1.75 0.85"), line("M 2.25 -0.85 L 2.25 0.85")],
    // The side at which the initial voltage is positive.
    words: part.settings["initial_voltage"] === 0 ? [] : [{ text: "+", at: [1.3, -0.5], size: "small" }],
  }),
  inductor: plain(
    { a: [0.8, 0], b: [3.2, 0] },
    line("M 0.8 0 C 0.8 -0.6 1.4 -0.6 1.4 0 C 1.4 -0.6 2 -0.6 2 0 C 2 -0.6 2.6 -0.6 2.6 0 C 2.6 -0.6 3.2 -0.6 3.2 0"),
  ),
  diode: plain(
    { anode: [1.4, 0], cathode: [2.6, 0] },
    solid("M 1.4 -0.7 L 2.6 0 L 1.4 0.7 Z"),
    line("M 2.6 -0.75 L 2.6 0.75"),
  ),
  dcSource: source(null, [
    { text: "\u2212", at: [1.52, 0], size: "large" },
    { text: "+", at: [2.48, 0], size: "large" },
  ]),
  acSource: source({ path: SINE, fill: "none", upright: [2, 0] }, [{ text: "+", at: [3.2, -0.55], size: "small" }]),
  ground: plain(
    { a: [0, 0.75] },
    line("M -0.75 0.75 L 0.75 0.75"),
    line("M -0.47 1.1 L 0.47 1.1"),
    line("M -0.2 1.45 L 0.2 1.45"),
  ),
  dcRail: plain({ out: [0, -1.4] }, line("M -0.75 -1.4 L 0.75 -1.4")),
  acRail: plain({ out: [0, -1.1] }, body(circle(0, -2, 0.9)), { path: SINE, fill: "none", upright: [0, -2] }),
  npn: plain(
    { base: [0.75, 0], collector: [2, -1.25], emitter: [2, 1.25] },
    line("M 0.75 -1 L 0.75 1"),
    line("M 0.75 -0.45 L 2 -1.25"),
    line("M 0.75 0.45 L 2 1.25"),
    solid("M 1.95 1.22 L 1.27 1.13 L 1.6 0.62 Z"),
  ),
  pnp: plain(
    { base: [0.75, 0], collector: [2, 1.25], emitter: [2, -1.25] },
    line("M 0.75 -1 L 0.75 1"),
    line("M 0.75 0.45 L 2 1.25"),
    line("M 0.75 -0.45 L 2 -1.25"),
    solid("M 0.85 -0.52 L 1.53 -0.61 L 1.2 -1.12 Z"),
  ),
  opamp: plain(
    { minus: [0.6, -1], plus: [0.6, 1], out: [3.5, 0] },
    body("M 0.6 -1.9 L 3.5 0 L 0.6 1.9 Z"),
    line("M 0.85 -1 L 1.29 -1"),
    line("M 0.85 1 L 1.29 1 M 1.07 0.78 L 1.07 1.22"),
  ),
  clock: plain(
    { out: [-0.7, 0] },
    body(rectangle(-3, -0.85, -0.7, 0.85)),
    line("M -2.65 0.4 L -2.25 0.4 L -2.25 -0.4 L -1.85 -0.4 L -1.85 0.4 L -1.45 0.4 L -1.45 -0.4 L -1.05 -0.4"),
  ),
  timer555: chip("555", rectangle(1, 1, 7, 7), {
    vcc: ["VCC", [4, 1], "top"],
    gnd: ["GND", [4, 7], "bottom"],
    reset: ["RST", [7, 2], "right"],
    discharge: ["DIS", [1, 2], "left"],
    threshold: ["THR", [1, 4], "left"],
    trigger: ["TRG", [1, 6], "left"],
    out: ["OUT", [7, 4], "right"],
    control: ["CTL", [7, 6], "right"],
  }),
  jkFlipFlop: flipFlop,
  logicInput: (part) => ({
    leads: { out: [-0.8, 0] },
    shapes: [body(rectangle(-2.7, -0.8, -0.8, 0.8))],
    words: [{ text: part.settings["level"] === "high" ? "1" : "0", at: [-1.75, 0], size: "large" }],
  }),
  logicOutput: () => ({ leads: { in: [0.9, 0] }, shapes: [body(circle(1.75, 0, 0.85))], words: [] }),
  and: gateSymbol,
  or: gateSymbol,
  nand: gateSymbol,
  nor: gateSymbol,
  xor: gateSymbol,
  xnor: gateSymbol,
  not: gateSymbol,
};

type ChipPins = Readonly<Record<string, readonly [string, Point, NonNullable<Word["side"]>]>>;

function chip(title: string, outline: string, pins: ChipPins): Look {
  const words = Object.values(pins).map(([text, at, side]): Word => ({ text, at, side, size: "small" }));
  const leads = Object.fromEntries(Object.entries(pins).map(([pin, [, at]]) => [pin, at]));
  const symbol: Symbol = {
    leads,
    shapes: [body(outline)],
    words: [...words, { text: title, at: [4, 3.4], size: "large" }],
  };
  return () => symbol;
}

function flipFlop(): Symbol {
  const at = (text: string, x: number, y: number, side: "left" | "right"): Word => ({
    text,
    at: [x, y],
    side,
    size: "small",
  });
  return {
    leads: { j: [1, 0], clk: [0.6, 2], k: [1, 4], q: [5, 0], notQ: [5, 4] },
    shapes: [body(rectangle(1, -1, 5, 5)), body(circle(0.8, 2, 0.2)), line("M 1 1.55 L 1.7 2 L 1 2.45")],
    words: [
      at("J", 1, 0, "left"),
      at("CLK", 1.6, 2, "left"),
      at("K", 1, 4, "left"),
      at("Q", 5, 0, "right"),
      { ...at("Q", 5, 4, "right"), barred: true },
    ],
  };
}

/** A box with leads, for a kind that has no symbol of its own. */
function plainBox(part: Pick<Part, "kind" | "settings">): Symbol {
  const leads = Object.fromEntries(pinsOf(part).map((pin) => [pin.name, pin.at]));
  return { leads, shapes: [body(rectangle(...ownBoxOf(part)))], words: [] };
}
