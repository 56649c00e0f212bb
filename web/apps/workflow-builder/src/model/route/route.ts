import type { Edge, Node, Point } from "../document";
import { inputAnchor, outputAnchor, PORT_PX } from "../measures";
import { boxOf } from "../viewport";
import { costOfLine, costOfNodes, keepOf, type Ends, type Keep, type Laid } from "./clashes";
import { detours, directWays, leastDetour, type Way } from "./ways";

/** An edge that is to be laid. */
interface Line {
  id: string;
  ends: Ends;
  /** What a detour costs at least; short lines have the least. */
  leastDetour: number;
  direct: readonly Way[];
  detours: () => readonly Way[];
}

/** The best way found so far and what it costs in all. */
interface Found {
  way: Way | null;
  cost: number;
}

/** Every line is laid, then laid again knowing all others. */
const N_ROUNDS = 2;

/**
 * The corners of every edge's line, by the edge's id: upright and level stretches between whole pixels that keep off
 * nodes where there is room, and off each other. Equal workflows have equal lines.
 */
export function routes(nodes: readonly Node[], edges: readonly Edge[]): Map<string, Point[]> {
  const keeps = nodes.map((node) => keepOf(node.id, boxOf(node)));
  const lines = linesOf(nodes, edges, keeps);
  const laid = new Map<string, Laid & { points: Point[] }>();
  for (let round = 0; round < N_ROUNDS; round += 1) {
    for (const line of lines) {
      laid.delete(line.id);
      const { segments, points } = cheapest(line, [...laid.values()]);
      laid.set(line.id, { ends: line.ends, segments, points });
    }
  }
  return new Map(edges.flatMap(({ id }) => (laid.has(id) ? [[id, laid.get(id)!.points] as const] : [])));
}

/** The lines to lay, the shortest first, so that what is near is joined straight and what is far goes around it. */
function linesOf(nodes: readonly Node[], edges: readonly Edge[], keeps: readonly Keep[]): Line[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const lines = edges.flatMap((edge): Line[] => {
    const [source, target] = [byId.get(edge.source), byId.get(edge.target)];
    return source && target ? [lineOf(edge, source, target, keeps)] : [];
  });
  return lines.sort((one, other) => one.leastDetour - other.leastDetour);
}

function lineOf(edge: Edge, source: Node, target: Node, keeps: readonly Keep[]): Line {
  const from = add(source.position, outputAnchor(source, edge.output), PORT_PX / 2);
  const to = add(target.position, inputAnchor(), -PORT_PX / 2);
  let around: readonly Way[] | undefined;
  return {
    id: edge.id,
    ends: edge,
    leastDetour: leastDetour(from, to),
    direct: priced(directWays(from, to), edge, keeps),
    detours: () => (around ??= priced(detours(from, to, keeps), edge, keeps)),
  };
}

/** Ways with what the nodes in them cost, the cheapest first. */
function priced(ways: Way[], ends: Ends, keeps: readonly Keep[]): Way[] {
  for (const way of ways) way.cost += costOfNodes(way.segments, ends, keeps);
  return ways.sort((one, other) => one.cost - other.cost);
}

/** The way of least cost. Detours are looked for only where the direct ways leave something to wish for. */
function cheapest(line: Line, others: readonly Laid[]): Way {
  const costOf = ({ segments, cost: atLeast }: Way, limit: number) => {
    let cost = atLeast;
    for (const other of others) {
      if (cost >= limit) break;
      cost += costOfLine(segments, line.ends, other);
    }
    return cost;
  };
  const direct = best({ way: null, cost: Infinity }, line.direct, costOf);
  return (direct.cost <= line.leastDetour ? direct : best(direct, line.detours(), costOf)).way!;
}

/** Betters what was found; ways come in the order of what they cost at least, so the search can end early. */
function best(before: Found, ways: readonly Way[], costOf: (way: Way, limit: number) => number): Found {
  let found = before;
  for (const way of ways) {
    if (way.cost >= found.cost) break;
    const cost = costOf(way, found.cost);
    if (cost < found.cost) found = { way, cost };
  }
  return found;
}

function add(one: Point, other: Point, right: number): Point {
  return { x: Math.round(one.x + other.x + right), y: Math.round(one.y + other.y) };
}
