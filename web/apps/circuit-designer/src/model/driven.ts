import { isLogic } from "./catalogue";
import { type CircuitDocument, type Part, type Point, pointKey } from "./document";
import { type PlacedPin, placedPins } from "./place";

const FLIP_FLOP_INPUTS = new Set(["j", "clk", "k"]);
const AMPLIFIER_INPUTS = new Set(["plus", "minus"]);

/** Whether a pin only listens: it needs something else to give it a level. */
export function isInput(kind: string, pin: string): boolean {
  if (kind === "jkFlipFlop") return FLIP_FLOP_INPUTS.has(pin);
  if (kind === "opamp") return AMPLIFIER_INPUTS.has(pin);
  return isLogic(kind) && pin.startsWith("in");
}

/** The inputs that nothing drives: no pin that is joined to them gives a level. They are in the order of the parts. */
export function openInputs(doc: CircuitDocument): PlacedPin[] {
  const root = joined(doc);
  const pins = doc.parts.flatMap((part) => placedPins(part).map((pin) => ({ ...pin, listens: listens(part, pin) })));
  const driven = new Set(pins.filter(({ listens }) => !listens).map(({ at }) => root(at)));
  return pins
    .filter(({ at, listens }) => listens && !driven.has(root(at)))
    .map(({ part, pin, at }) => ({ part, pin, at }));
}

/** A key for every open input, to be looked up by part and pin. */
export function openKeys(doc: CircuitDocument): ReadonlySet<string> {
  return new Set(openInputs(doc).map(({ part, pin }) => `${part}.${pin}`));
}

function listens(part: Part, { pin }: PlacedPin): boolean {
  return isInput(part.kind, pin);
}

/** Tells for every point the same key as for all points that wires join to it. */
function joined({ wires }: CircuitDocument): (point: Point) => string {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) {
      root = next;
    }
    return root;
  };
  for (const { from, to } of wires) {
    const [a, b] = [rootOf(pointKey(from)), rootOf(pointKey(to))];
    if (a !== b) {
      parents.set(a, b);
    }
  }
  return (point) => rootOf(pointKey(point));
}
