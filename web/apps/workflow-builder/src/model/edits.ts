import { defaultSettings, kindOf, type Case, type SettingValue } from "./catalogue";
import {
  casesOf,
  nextId,
  openWorkflow,
  outputsOf,
  type Node,
  type Point,
  type Workflow,
  type WorkflowDocument,
} from "./document";

/** Adds a node of a kind to the open workflow and returns its id. */
export function addNode(draft: WorkflowDocument, kind: string, position: Point): string {
  const { name } = kindOf(kind);
  const id = nextId(draft, "n");
  opened(draft).nodes.push({ id, kind, name, position, settings: defaultSettings(kindOf(kind)) });
  return id;
}

/** Whether an edge may go from this output to this node: both exist, the target takes input, no loop onto itself, no twin. */
export function canConnect(workflow: Workflow, source: string, output: string, target: string): boolean {
  const from = workflow.nodes.find(({ id }) => id === source);
  const to = workflow.nodes.find(({ id }) => id === target);
  if (!from || !to || source === target) return false;
  const isTwin = workflow.edges.some(
    (edge) => edge.source === source && edge.output === output && edge.target === target,
  );
  return kindOf(to.kind).input && outputsOf(from).includes(output) && !isTwin;
}

/** Adds an edge to the open workflow; one that may not be is left out. */
export function connect(draft: WorkflowDocument, source: string, output: string, target: string): void {
  const workflow = opened(draft);
  if (!canConnect(workflow, source, output, target)) return;
  workflow.edges.push({ id: nextId(draft, "e"), source, output, target });
}

/** Deletes nodes and edges of the open workflow, and the edges of deleted nodes. */
export function remove(draft: WorkflowDocument, ids: ReadonlySet<string>): void {
  const workflow = opened(draft);
  workflow.nodes = workflow.nodes.filter((node) => !ids.has(node.id));
  workflow.edges = workflow.edges.filter((edge) => !ids.has(edge.id) && !ids.has(edge.source) && !ids.has(edge.target));
}

/** Puts nodes of the open workflow where they were dragged, on whole pixels (adding 0 makes a plain zero of a negative one). */
export function move(draft: WorkflowDocument, positions: ReadonlyMap<string, Point>): void {
  for (const node of opened(draft).nodes) {
    const { x, y } = positions.get(node.id) ?? node.position;
    node.position = { x: Math.round(x) + 0, y: Math.round(y) + 0 };
  }
}

/** Gives a node of the open workflow another name. */
export function renameNode(draft: WorkflowDocument, id: string, name: string): void {
  node(draft, id).name = name;
}

/** Changes one setting of a node; edges from outputs that no longer exist go with them. */
export function set(draft: WorkflowDocument, id: string, key: string, value: SettingValue): void {
  node(draft, id).settings[key] = value;
  pruneEdges(opened(draft), node(draft, id));
}

/** Changes all settings of a node at once. A case that only changed its label keeps its edges. */
export function setAll(draft: WorkflowDocument, id: string, settings: Record<string, SettingValue>): void {
  const changed = node(draft, id);
  const before = casesOf(changed);
  changed.settings = settings;
  const after = casesOf(changed);
  if (before.length === after.length) {
    before.forEach(({ label }, index) => renameOutput(opened(draft), changed, label, after[index]!.label));
  }
  pruneEdges(opened(draft), changed);
}

/** Adds a case with a label that no other case has. */
export function addCase(draft: WorkflowDocument, id: string): void {
  const cases = casesOf(node(draft, id));
  const labels = new Set(cases.map(({ label }) => label));
  let number = cases.length + 1;
  while (labels.has(`case_${number}`)) number += 1;
  node(draft, id).settings["cases"] = [...cases, { label: `case_${number}` }];
}

/** Why a case may not have this label, or null when it may. */
export function caseLabelProblem(cases: readonly Case[], index: number, label: string): string | null {
  if (label.trim() === "") return "A case needs a label.";
  if (label === "default") return "The label default is taken by the default output.";
  const isTaken = cases.some((other, position) => position !== index && other.label === label);
  return isTaken ? "Another case has this label." : null;
}

/** Gives a case another label; its edges follow. A label that is taken changes nothing. */
export function renameCase(draft: WorkflowDocument, id: string, index: number, label: string): void {
  const changed = node(draft, id);
  const cases = casesOf(changed);
  const current = cases[index];
  if (!current || caseLabelProblem(cases, index, label) !== null) return;
  const before = current.label;
  current.label = label;
  renameOutput(opened(draft), changed, before, label);
}

/** Sets what a case matches; an empty text takes the expression away. */
export function setCaseExpression(draft: WorkflowDocument, id: string, index: number, expr: string): void {
  const current = casesOf(node(draft, id))[index];
  if (!current) return;
  if (expr === "") delete current.expr;
  else current.expr = expr;
}

/** Removes a case and the edges that leave it. */
export function removeCase(draft: WorkflowDocument, id: string, index: number): void {
  const cases = casesOf(node(draft, id));
  set(
    draft,
    id,
    "cases",
    cases.filter((_, position) => position !== index),
  );
}

function renameOutput(workflow: Workflow, changed: Node, before: string, after: string): void {
  if (before === after || outputsOf(changed).includes(before)) return;
  for (const edge of workflow.edges) {
    if (edge.source === changed.id && edge.output === before) edge.output = after;
  }
}

function pruneEdges(workflow: Workflow, changed: Node): void {
  const outputs = outputsOf(changed);
  workflow.edges = workflow.edges.filter((edge) => edge.source !== changed.id || outputs.includes(edge.output));
}

function opened(draft: WorkflowDocument): Workflow {
  const workflow = openWorkflow(draft);
  if (!workflow) throw new Error("no workflow is open");
  return workflow;
}

function node(draft: WorkflowDocument, id: string): Node {
  const found = opened(draft).nodes.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`the open workflow has no node \`${id}\``);
  return found;
}
