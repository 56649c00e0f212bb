import { pinsOf } from "../model/catalogue";
import type { Part, Point } from "../model/document";
import { circle } from "./path";
import type { Shape, Symbol } from "./symbols";

/** Half the height of a gate's body. */
const HALF = 1.5;
/** Where the flat back of an AND and the tips of an OR's back lie. */
const BACK = 0.75;
const NOSE = 3.25;
const BUBBLE = 0.22;

const AND = "M 0.75 -1.5 L 1.75 -1.5 C 2.58 -1.5 3.25 -0.83 3.25 0 C 3.25 0.83 2.58 1.5 1.75 1.5 L 0.75 1.5 Z";
const OR = "M 0.6 -1.5 C 2 -1.5 2.75 -0.9 3.25 0 C 2.75 0.9 2 1.5 0.6 1.5 Q 1.4 0 0.6 -1.5 Z";
const SECOND_BACK = "M 0.22 -1.5 Q 1.02 0 0.22 1.5";
const NOT = "M 0.9 -0.95 L 0.9 0.95 L 2.9 0 Z";

/** The ANSI symbol of a gate, with its back drawn out where it has more than two inputs. */
export function gateSymbol(part: Pick<Part, "kind" | "settings">): Symbol {
  if (part.kind === "not") {
    const bubble: Shape = { path: circle(2.9 + BUBBLE, 0, BUBBLE), fill: "body" };
    return {
      leads: { in: [0.9, 0], out: [2.9 + 2 * BUBBLE, 0] },
      shapes: [{ path: NOT, fill: "body" }, bubble],
      words: [],
    };
  }
  const inputs = pinsOf(part).filter((pin) => pin.name !== "out");
  const isRound = part.kind !== "and" && part.kind !== "nand";
  const isInverted = ["nand", "nor", "xnor"].includes(part.kind);
  const shapes: Shape[] = [{ path: isRound ? OR : AND, fill: "body" }, ...wings(inputs.length, isRound)];
  if (part.kind === "xor" || part.kind === "xnor") {
    shapes.push({ path: SECOND_BACK, fill: "none" });
  }
  if (isInverted) {
    shapes.push({ path: circle(NOSE + BUBBLE, 0, BUBBLE), fill: "body" });
  }
  const leads: Record<string, Point> = { out: [isInverted ? NOSE + 2 * BUBBLE : NOSE, 0] };
  for (const pin of inputs) {
    leads[pin.name] = [backAt(part.kind, pin.at[1]), pin.at[1]];
  }
  return { leads, shapes, words: [] };
}

/** The lines that lengthen a gate's back when its inputs reach beyond the body. */
function wings(inputs: number, isRound: boolean): Shape[] {
  const reach = inputs - 1;
  const x = isRound ? 0.6 : BACK;
  return reach <= HALF
    ? []
    : [{ path: `M ${x} ${-reach} L ${x} ${-HALF} M ${x} ${HALF} L ${x} ${reach}`, fill: "none" }];
}

/** Where the lead of an input at this height meets the gate's back. */
function backAt(kind: string, y: number): number {
  if (kind === "and" || kind === "nand") {
    return BACK;
  }
  const tip = kind === "xor" || kind === "xnor" ? 0.22 : 0.6;
  if (Math.abs(y) > HALF) {
    return 0.6;
  }
  const share = (y + HALF) / (2 * HALF);
  return tip + 2 * share * (1 - share) * 0.8;
}
