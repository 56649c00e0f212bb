import type { Workflow } from "./document";
import type { Recipe } from "./transfer";

/** A starting workflow: strings in it may hold `{{ word }}`, and each word has choices, the first of them the usual one. */
export interface Start {
  choices: Record<string, (string | number)[]>;
  workflow: Workflow;
}

/** A template of the hub. */
export interface Template {
  name: string;
  recipe: Recipe;
}

/** The templates the hub offers, from the starting workflows and their first choices. */
export function templatesOf(starts: Record<string, Start>): Template[] {
  return Object.entries(starts)
    .map(([path, start]) => ({ name: path.replace(/^.*\/|\.json$/g, ""), recipe: fill(start) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The workflow of a start with the first choice of every word. */
export function fill({ choices, workflow }: Start): Recipe {
  return replace(workflow, choices) as Recipe;
}

function replace(value: unknown, choices: Start["choices"]): unknown {
  if (typeof value === "string") return replaceText(value, choices);
  if (Array.isArray(value)) return value.map((entry) => replace(entry, choices));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, replace(entry, choices)]));
}

/** A string that is one placeholder and nothing else becomes the choice itself, so that a number stays a number. */
function replaceText(text: string, choices: Start["choices"]): string | number {
  const whole = /^\{\{\s*(\w+)\s*\}\}$/.exec(text);
  if (whole) return choices[whole[1]!]?.[0] ?? "";
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, word: string) => String(choices[word]?.[0] ?? ""));
}
