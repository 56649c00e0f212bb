import { findKind } from "../model/catalogue";
import type { Edge, Node, Workflow } from "../model/document";
import { runNode } from "./behaviour";
import type { Item } from "./sample";

/** What became of one node in a dry run. */
export interface Row {
  node: Node;
  status: "done" | "not reached" | "problem";
  received: number;
  items: Item[];
  words: string;
}

/**
 * Runs a workflow on sample data without changing anything: nodes in the order of the flow, each once. An edge that
 * closes a loop is not followed again.
 */
export function dryRun(workflow: Workflow): Row[] {
  const { order, forwards } = flowOrder(workflow);
  const waiting = new Map<string, Item[]>();
  return order.map((node) => {
    const arriving = forwards.filter((edge) => edge.target === node.id);
    const received = arriving.flatMap((edge) => waiting.get(portOf(edge)) ?? []);
    const begins = node.kind === "rangeGenerator" || findKind(node.kind)?.input === false;
    if (!begins && received.length === 0) return row(node, "not reached", []);
    try {
      const { byOutput, words } = runNode(node, received);
      for (const [output, items] of byOutput) waiting.set(`${node.id} ${output}`, items);
      return { ...row(node, "done", [...byOutput.values()].flat()), received: received.length, words };
    } catch (error) {
      return { ...row(node, "problem", []), received: received.length, words: (error as Error).message };
    }
  });
}

/** The nodes in the order of the flow, and the edges that do not close a loop. */
export function flowOrder({ nodes, edges }: Workflow): { order: Node[]; forwards: Edge[] } {
  const forwards = forwardEdges(nodes, edges);
  const order: Node[] = [];
  const isReady = (node: Node) =>
    forwards.every((edge) => edge.target !== node.id || order.some(({ id }) => id === edge.source));
  while (order.length < nodes.length) {
    const next = nodes.find((node) => !order.includes(node) && isReady(node));
    if (!next) break;
    order.push(next);
  }
  return { order, forwards };
}

/** All edges except those that lead back to a node on the way that led there. */
function forwardEdges(nodes: readonly Node[], edges: readonly Edge[]): Edge[] {
  const backwards = new Set<Edge>();
  const state = new Map<string, "on the way" | "done">();
  function visit(id: string): void {
    state.set(id, "on the way");
    for (const edge of edges.filter(({ source }) => source === id)) {
      if (state.get(edge.target) === "on the way") backwards.add(edge);
      else if (!state.has(edge.target)) visit(edge.target);
    }
    state.set(id, "done");
  }
  const isEntered = (node: Node) => edges.some(({ target }) => target === node.id);
  const starts = [...nodes.filter((node) => !isEntered(node)), ...nodes.filter(isEntered)];
  for (const { id } of starts) if (!state.has(id)) visit(id);
  return edges.filter((edge) => !backwards.has(edge));
}

function portOf({ source, output }: Edge): string {
  return `${source} ${output}`;
}

function row(node: Node, status: Row["status"], items: Item[]): Row {
  return { node, status, items, received: 0, words: "" };
}
