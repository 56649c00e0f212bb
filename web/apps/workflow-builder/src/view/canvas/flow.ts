import { Position, type Edge as FlowEdge, type Node as FlowNode } from "@xyflow/react";
import { kindOf } from "../../model/catalogue";
import { outputsOf, type Node, type Point, type Workflow } from "../../model/document";
import { inputAnchor, nodeHeight, NODE_WIDTH_PX, outputAnchor, PORT_PX } from "../../model/measures";
import { routes } from "../../model/route/route";
import type { Viewport } from "../../model/viewport";

/** A node as the canvas library wants it. */
export type CardNode = FlowNode<{ node: Node; isEnd: boolean }, "card">;
/** An edge as the canvas library wants it. */
export type LineEdge = FlowEdge<{ points: Point[] }, "line">;

/** The nodes of the canvas, those being dragged where the pointer has them, those that a selected edge joins marked. */
export function flowNodes(
  { nodes, edges }: Workflow,
  selection: ReadonlySet<string>,
  dragged: ReadonlyMap<string, Point>,
): CardNode[] {
  const picked = edges.filter(({ id }) => selection.has(id));
  const ends = new Set(picked.flatMap(({ source, target }) => [source, target]));
  return nodes.map((node) => ({
    id: node.id,
    type: "card",
    position: dragged.get(node.id) ?? node.position,
    data: { node, isEnd: ends.has(node.id) },
    selected: selection.has(node.id),
    width: NODE_WIDTH_PX,
    height: nodeHeight(node),
    measured: { width: NODE_WIDTH_PX, height: nodeHeight(node) },
    handles: handlesOf(node),
    ariaLabel: labelOf(node),
  }));
}

/** The corners of the lines of all edges, while some nodes may be dragged. */
export function flowRoutes({ nodes, edges }: Workflow, dragged: ReadonlyMap<string, Point>): Map<string, Point[]> {
  return routes(
    nodes.map((node) => ({ ...node, position: dragged.get(node.id) ?? node.position })),
    edges,
  );
}

/** The edges of the canvas, along the lines laid for them. */
export function flowEdges(
  { nodes, edges }: Workflow,
  selection: ReadonlySet<string>,
  lines: ReadonlyMap<string, Point[]>,
): LineEdge[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return edges.flatMap((edge) => {
    const source = byId.get(edge.source);
    const target = byId.get(edge.target);
    if (!source || !target) return [];
    const from = edge.output === "main" ? source.name : `${source.name} ${edge.output}`;
    return {
      id: edge.id,
      type: "line",
      source: edge.source,
      sourceHandle: edge.output,
      target: edge.target,
      targetHandle: "in",
      selected: selection.has(edge.id),
      ariaLabel: `Connection from ${from} to ${target.name}`,
      selectable: false,
      data: { points: lines.get(edge.id) ?? [] },
    };
  });
}

/** The node whose left half is under the pointer and that takes input. */
export function targetUnder(
  { clientX, clientY }: { clientX: number; clientY: number },
  nodes: readonly Node[],
  frame: HTMLElement,
  { x, y, zoom }: Viewport,
): Node | undefined {
  const { left, top } = frame.getBoundingClientRect();
  const point = { x: (clientX - left - x) / zoom, y: (clientY - top - y) / zoom };
  return nodes.findLast((node) => isOnLeftHalf(point, node));
}

/** Whether a point of the canvas lies on the left half of a node that takes input. */
export function isOnLeftHalf(point: Point, node: Node): boolean {
  const across = point.x - node.position.x;
  const down = point.y - node.position.y;
  return kindOf(node.kind).input && across >= 0 && across <= NODE_WIDTH_PX / 2 && down >= 0 && down <= nodeHeight(node);
}

/** The name of a node for people who cannot see it, with its kind when the name does not say it. */
function labelOf({ name, kind }: Node): string {
  return name === kindOf(kind).name ? `${name} node` : `${name}, ${kindOf(kind).name} node`;
}

function handlesOf(node: Node): NonNullable<CardNode["handles"]> {
  const port = ({ x, y }: Point) => ({ x: x - PORT_PX / 2, y: y - PORT_PX / 2, width: PORT_PX, height: PORT_PX });
  const outputs = outputsOf(node).map((output) => ({
    id: output,
    type: "source" as const,
    position: Position.Right,
    ...port(outputAnchor(node, output)),
  }));
  const input = { id: "in", type: "target" as const, position: Position.Left, ...port(inputAnchor()) };
  return kindOf(node.kind).input ? [input, ...outputs] : outputs;
}
