import { kindOf, type Case, type SettingValue } from "./catalogue";

/** A point of the canvas, in whole pixels at 100 %. */
export interface Point {
  x: number;
  y: number;
}

/** One step of a workflow. */
export interface Node {
  id: string;
  kind: string;
  name: string;
  position: Point;
  settings: Record<string, SettingValue>;
}

/** A connection from an output of one node to the input of another. */
export interface Edge {
  id: string;
  source: string;
  output: string;
  target: string;
}

/** A workflow: nodes and the edges between them. */
export interface Workflow {
  id: string;
  name: string;
  nodes: Node[];
  edges: Edge[];
}

/** What the app keeps: the workflows, and which of them is on the canvas (null: none, the hub shows). */
export interface WorkflowDocument {
  workflows: Workflow[];
  open: string | null;
}

/** The workflow on the canvas. */
export function openWorkflow(document: WorkflowDocument): Workflow | undefined {
  return document.workflows.find((workflow) => workflow.id === document.open);
}

/** The names of a node's outputs, from top to bottom. */
export function outputsOf(node: Node): string[] {
  if (node.kind !== "switch") return kindOf(node.kind).outputs;
  const labels = casesOf(node).map(({ label }) => label);
  return node.settings["default"] === true ? [...labels, "default"] : labels;
}

/** The cases of a switch; other nodes have none. */
export function casesOf(node: Node): Case[] {
  const cases = node.settings["cases"];
  return Array.isArray(cases) ? (cases as Case[]) : [];
}

/** The next unused id with this letter, counted over the whole document. */
export function nextId(document: WorkflowDocument, letter: "n" | "e" | "w"): string {
  const ids = document.workflows.flatMap((workflow) => {
    if (letter === "w") return [workflow.id];
    return (letter === "n" ? workflow.nodes : workflow.edges).map(({ id }) => id);
  });
  const numbers = ids.filter((id) => id.startsWith(letter)).map((id) => Number(id.slice(1)));
  return `${letter}${Math.max(0, ...numbers.filter(Number.isFinite)) + 1}`;
}
