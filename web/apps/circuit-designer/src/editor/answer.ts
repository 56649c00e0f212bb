import type { CircuitDocument, Part, Point, Probe } from "../model/document";
import { samePoint } from "../model/document";
import { placedPins } from "../model/place";

/** What a scope shows at one moment: the trace's bounds per column (null before the start), and measures of it. */
export interface ScopeAnswer {
  id: string;
  from: number;
  until: number;
  low: (number | null)[];
  high: (number | null)[];
  min: number | null;
  max: number | null;
  frequency: number | null;
  /** The share of the time that the signal is high, from 0 to 1. */
  duty: number | null;
  peak_to_peak: number | null;
}

/** The state of the circuit at one moment, as the engine tells it. */
export interface Answer {
  /** A sentence about what keeps the circuit from working, or null. */
  problem: string | null;
  /** The net of every pin (`part.pin`) and wire, as an index into `volts`. */
  nets: Record<string, number>;
  /** The voltage of every net against ground. */
  volts: number[];
  /** The current through parts with two terminals, from the first pin to the second. */
  currents: Record<string, number>;
  scopes: ScopeAnswer[];
}

/** The voltage from which on a level is high. */
const THRESHOLD = 2.5;

/** The voltage of a pin or a wire, if the engine knows it. */
export function voltsAt(answer: Answer | null, net: string): number | undefined {
  const index = answer?.nets[net];
  const volts = index === undefined ? undefined : answer?.volts[index];
  return volts === null ? undefined : volts;
}

/** The voltage of a pin, if the engine knows it. */
export function pinVolts(answer: Answer | null, part: string, pin: string): number | undefined {
  return voltsAt(answer, `${part}.${pin}`);
}

/** The level of a pin, if the engine knows its voltage. */
export function pinLevel(answer: Answer | null, part: string, pin: string): "low" | "high" | null {
  const volts = pinVolts(answer, part, pin);
  return volts === undefined ? null : volts >= THRESHOLD ? "high" : "low";
}

/** The level a logic input is set to or a logic output is given; null for other parts. */
export function levelOf(answer: Answer | null, part: Part): "low" | "high" | null {
  if (part.kind === "logicInput") {
    return part.settings["level"] === "high" ? "high" : "low";
  }
  return part.kind === "logicOutput" ? pinLevel(answer, part.id, "in") : null;
}

/** The place on the drawing that a scope looks at. */
export function probePlace(doc: CircuitDocument, probe: Probe): Point | null {
  if ("wire" in probe) {
    const wire = doc.wires.find(({ id }) => id === probe.wire);
    return wire === undefined ? null : [(wire.from[0] + wire.to[0]) / 2, (wire.from[1] + wire.to[1]) / 2];
  }
  const part = doc.parts.find(({ id }) => id === probe.part);
  return part === undefined ? null : (placedPins(part).find(({ pin }) => pin === probe.pin)?.at ?? null);
}

/** The pin at a grid point, if one lies there. */
export function pinAt(doc: CircuitDocument, at: Point): { part: string; pin: string } | null {
  for (const part of doc.parts) {
    const found = placedPins(part).find((pin) => samePoint(pin.at, at));
    if (found !== undefined) {
      return { part: part.id, pin: found.pin };
    }
  }
  return null;
}
