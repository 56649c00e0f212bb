import catalogue from "../catalogue.json";

/** One route of a switch. */
export interface Case {
  label: string;
  expr?: string;
}

/** One assignment of a node that sets fields. */
export interface FieldValue {
  name: string;
  value: string;
}

/** What a setting of a node may hold. */
export type SettingValue = string | number | boolean | Case[] | FieldValue[];

/** How a setting is shown and what it may hold. */
export interface Setting {
  key: string;
  label: string;
  type: "text" | "expression" | "number" | "choice" | "toggle" | "cases" | "fields" | "long";
  options?: string[];
  default: SettingValue;
}

/** A kind of node, as the library offers it. */
export interface Kind {
  kind: string;
  name: string;
  category: string;
  about: string;
  icon: string;
  input: boolean;
  outputs: string[];
  settings: Setting[];
}

/** A group of kinds in the library. */
export interface Category {
  id: string;
  name: string;
}

export const categories: readonly Category[] = catalogue.categories;
export const kinds: readonly Kind[] = catalogue.kinds as Kind[];

const byKind = new Map(kinds.map((kind) => [kind.kind, kind]));

/** The kind with this key, or undefined when the catalogue has none. */
export function findKind(kind: string): Kind | undefined {
  return byKind.get(kind);
}

/** The kind with this key, which the document is known to hold only when the catalogue has it. */
export function kindOf(kind: string): Kind {
  const found = findKind(kind);
  if (!found) throw new Error(`the catalogue has no kind \`${kind}\``);
  return found;
}

/** The name of a category. */
export function categoryName(id: string): string {
  return categories.find((category) => category.id === id)?.name ?? id;
}

/** The settings a new node of a kind begins with. */
export function defaultSettings(kind: Kind): Record<string, SettingValue> {
  return Object.fromEntries(kind.settings.map((setting) => [setting.key, structuredClone(setting.default)]));
}

/**
 * The kinds that answer a search: every word must occur in the name. Categories and descriptions are searched only when
 * no name answers.
 */
export function searchKinds(text: string): Kind[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = (textOf: (kind: Kind) => string) =>
    kinds.filter((kind) => words.every((word) => textOf(kind).toLowerCase().includes(word)));
  const named = matching(({ name, kind }) => `${name} ${kind}`);
  const described = ({ name, category, about }: Kind) => `${name} ${categoryName(category)} ${about}`;
  const found = named.length > 0 ? named : matching(described);
  const start = text.trim().toLowerCase();
  return found.sort((one, other) => rank(one, start) - rank(other, start));
}

function rank(kind: Kind, text: string): number {
  const name = kind.name.toLowerCase();
  if (name.startsWith(text)) return 0;
  return name.includes(text) ? 1 : 2;
}
