import { defaultSettings, findKind, type Kind, type Setting, type SettingValue } from "./catalogue";
import { nextId, outputsOf, type Edge, type Node, type Workflow, type WorkflowDocument } from "./document";

/** A workflow that is not in the document yet, so its ids are only its own. */
export type Recipe = Omit<Workflow, "id">;

/** What came of reading a text: the value, or a sentence that says what is wrong with the text. */
export type Outcome<T> = { ok: T } | { problem: string };

/** The text of a workflow, as Export shows it and Import reads it. */
export function exportText({ name, nodes, edges }: Workflow): string {
  return JSON.stringify({ name, nodes, edges }, null, 2);
}

/** The file name of an exported workflow. */
export function exportName({ name }: Workflow): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return `${plain || "workflow"}.json`;
}

/** Reads the text of a workflow. */
export function readRecipe(text: string): Outcome<Recipe> {
  const parsed = readJson(text);
  if ("problem" in parsed) return parsed;
  try {
    return { ok: recipeOf(parsed.ok) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** Reads the settings of a node from a text. What is left out takes its default. */
export function readSettings(kind: Kind, text: string): Outcome<Record<string, SettingValue>> {
  const parsed = readJson(text);
  if ("problem" in parsed) return parsed;
  try {
    return { ok: settingsOf(kind, record(parsed.ok, "The settings")) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** Adds a workflow to the document under ids of its own and returns its id. */
export function addWorkflow(draft: WorkflowDocument, recipe: Recipe): string {
  const workflow: Workflow = { id: nextId(draft, "w"), name: recipe.name, nodes: [], edges: [] };
  draft.workflows.push(workflow);
  const ids = new Map<string, string>();
  for (const node of recipe.nodes) {
    ids.set(node.id, nextId(draft, "n"));
    workflow.nodes.push({ ...structuredClone(node), id: ids.get(node.id)! });
  }
  for (const { source, output, target } of recipe.edges) {
    workflow.edges.push({ id: nextId(draft, "e"), source: ids.get(source)!, output, target: ids.get(target)! });
  }
  return workflow.id;
}

function readJson(text: string): Outcome<unknown> {
  try {
    return { ok: JSON.parse(text) };
  } catch (error) {
    return { problem: `This is not JSON: ${(error as Error).message}.` };
  }
}

function recipeOf(value: unknown): Recipe {
  const { name, nodes, edges } = record(value, "The workflow");
  if (typeof name !== "string" || name.trim() === "") throw new Error("The workflow has no name.");
  const read = { name, nodes: list(nodes, "nodes").map(nodeOf), edges: list(edges ?? [], "edges").map(edgeOf) };
  const ids = new Set(read.nodes.map(({ id }) => id));
  if (ids.size !== read.nodes.length) throw new Error("Two nodes have the same id.");
  read.edges.forEach((edge) => checkEdge(edge, read.nodes));
  return read;
}

function nodeOf(value: unknown): Node {
  const { id, kind, name, position, settings } = record(value, "A node");
  if (typeof id !== "string" || id === "") throw new Error("A node has no id.");
  const known = typeof kind === "string" ? findKind(kind) : undefined;
  if (!known) throw new Error(`Node ${id} has an unknown kind: ${String(kind)}.`);
  const { x, y } = record(position ?? { x: 0, y: 0 }, `The position of node ${id}`);
  return {
    id,
    kind: known.kind,
    name: typeof name === "string" && name !== "" ? name : known.name,
    position: { x: whole(x, id), y: whole(y, id) },
    settings: settingsOf(known, record(settings ?? {}, `The settings of node ${id}`)),
  };
}

function edgeOf(value: unknown): Edge {
  const { id, source, output, target } = record(value, "A connection");
  if (typeof source !== "string" || typeof target !== "string")
    throw new Error("A connection needs a source and a target.");
  return { id: String(id ?? ""), source, output: typeof output === "string" ? output : "main", target };
}

function checkEdge(edge: Edge, nodes: Node[]): void {
  const source = nodes.find(({ id }) => id === edge.source);
  const target = nodes.find(({ id }) => id === edge.target);
  const words = `The connection from ${edge.source} to ${edge.target}`;
  if (!source || !target) throw new Error(`${words} names a node that is not there.`);
  if (!outputsOf(source).includes(edge.output))
    throw new Error(`${words} leaves an output that is not there: ${edge.output}.`);
  if (!findKind(target.kind)?.input) throw new Error(`${words} ends at a node without an input.`);
}

function settingsOf(kind: Kind, given: Record<string, unknown>): Record<string, SettingValue> {
  const unknown = Object.keys(given).find((key) => !kind.settings.some((setting) => setting.key === key));
  if (unknown !== undefined) throw new Error(`${kind.name} has no setting called ${unknown}.`);
  const settings = defaultSettings(kind);
  for (const setting of kind.settings) {
    const value = given[setting.key];
    if (value !== undefined) settings[setting.key] = settingOf(setting, value);
  }
  return settings;
}

function settingOf(setting: Setting, value: unknown): SettingValue {
  if (!isAllowed(setting, value)) throw new Error(`${setting.label} cannot be ${JSON.stringify(value)}.`);
  return value as SettingValue;
}

function isAllowed(setting: Setting, value: unknown): boolean {
  switch (setting.type) {
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "toggle":
      return typeof value === "boolean";
    case "choice":
      return typeof value === "string" && (setting.options ?? []).includes(value);
    case "cases":
      return isListOf(value, ["label"], ["expr"]) && areDistinct(value.map(({ label }) => label));
    case "fields":
      return isListOf(value, ["name", "value"], []);
    default:
      return typeof value === "string";
  }
}

function areDistinct(labels: unknown[]): boolean {
  return new Set(labels).size === labels.length && labels.every((label) => label !== "" && label !== "default");
}

function isListOf(value: unknown, needed: string[], optional: string[]): value is Record<string, string>[] {
  if (!Array.isArray(value)) return false;
  return value.every((entry) => {
    if (typeof entry !== "object" || entry === null) return false;
    const keys = Object.keys(entry);
    const isKnown = keys.every((key) => needed.includes(key) || optional.includes(key));
    return (
      isKnown &&
      needed.every((key) => keys.includes(key)) &&
      Object.values(entry).every((text) => typeof text === "string")
    );
  });
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${what} must be an object.`);
  return value as Record<string, unknown>;
}

function list(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw new Error(`The workflow needs a list of ${what}.`);
  return value;
}

function whole(value: unknown, id: string): number {
  if (typeof value !== "number" || !Number.isFinite(value))
    throw new Error(`The position of node ${id} needs numbers.`);
  return Math.round(value);
}
