import data from "../catalogue.json";
import type { Part, Point, SettingValue } from "./document";

/** A terminal of a component, placed relative to the component's own origin. */
export interface Pin {
  name: string;
  at: Point;
}

/** Left, top, right and bottom, in grid units. */
export type Box = readonly [number, number, number, number];

/** A setting a component has, as the property dialog shows it. */
export interface Setting {
  key: string;
  label: string;
  type: "number" | "choice" | "toggle" | "text";
  unit?: string;
  default: SettingValue;
  min?: number;
  max?: number;
  options?: string[];
}

/** A kind of component. */
export interface Kind {
  kind: string;
  name: string;
  prefix: string;
  about: string;
  pins: Pin[];
  /** Pins by the setting `inputs`, for kinds that may have more of them. */
  pinsBy?: Record<string, Pin[]>;
  box: Box;
  boxBy?: Record<string, Box>;
  settings: Setting[];
}

interface Catalogue {
  menus: { name: string; kinds: string[] }[];
  kinds: Kind[];
}

const catalogue = data as unknown as Catalogue;
const byName = new Map(catalogue.kinds.map((kind) => [kind.kind, kind]));

/** The menus that offer components, in order. */
export const MENUS: readonly { name: string; kinds: readonly string[] }[] = catalogue.menus;

/** All kinds of component, in order. */
export const KINDS: readonly Kind[] = catalogue.kinds;

/** The kind of this name, if there is one. */
export function findKind(name: string): Kind | undefined {
  return byName.get(name);
}

/** The kind of a part. Parts of unknown kinds are refused when a document is opened. */
export function kindOf(part: { kind: string }): Kind {
  const kind = byName.get(part.kind);
  if (kind === undefined) {
    throw new Error(`no component of kind ${part.kind}`);
  }
  return kind;
}

/** The pins of a part, relative to its origin. */
export function pinsOf(part: Pick<Part, "kind" | "settings">): readonly Pin[] {
  const kind = kindOf(part);
  return kind.pinsBy?.[String(part.settings["inputs"])] ?? kind.pins;
}

/** The box around a part's body, relative to its origin. */
export function ownBoxOf(part: Pick<Part, "kind" | "settings">): Box {
  const kind = kindOf(part);
  return kind.boxBy?.[String(part.settings["inputs"])] ?? kind.box;
}

/** Every setting of a kind at its default. */
export function defaultSettings(kind: Kind): Record<string, SettingValue> {
  return Object.fromEntries(kind.settings.map((setting) => [setting.key, setting.default]));
}

const LOGIC = new Set(["and", "or", "nand", "nor", "xor", "xnor", "not", "logicInput", "logicOutput"]);

/** Whether a kind works on levels alone. A circuit of such parts settles at once and stands still. */
export function isLogic(kind: string): boolean {
  return LOGIC.has(kind);
}

const TWO_TERMINAL = new Set(["resistor", "capacitor", "inductor", "diode", "dcSource", "acSource"]);

/** Whether a kind has two terminals with a current between them. */
export function isTwoTerminal(kind: string): boolean {
  return TWO_TERMINAL.has(kind);
}
