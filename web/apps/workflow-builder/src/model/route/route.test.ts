import { createRandom } from "@quintain/kit";
import { describe, expect, it } from "vitest";
import { defaultSettings, kindOf } from "../catalogue";
import type { Edge, Node, Point } from "../document";
import { boxOf } from "../viewport";
import { routes } from "./route";
import { segmentsOf } from "./segments";

function node(id: string, x: number, y: number, kind = "map"): Node {
  return { id, kind, name: id, position: { x, y }, settings: defaultSettings(kindOf(kind)) };
}

function edges(...pairs: string[]): Edge[] {
  return pairs.map((pair, index) => {
    const [from, target] = pair.split(" ") as [string, string];
    const [source, output = "main"] = from.split(".") as [string, string?];
    return { id: `e${index + 1}`, source, output, target };
  });
}

function written(points: Point[] | undefined): string {
  return points?.map(({ x, y }) => `${x},${y}`).join(" ") ?? "none";
}

/** The nodes that a line passes under, its own two included. */
function under(points: readonly Point[], nodes: readonly Node[]): string[] {
  const hits = nodes.filter((candidate) => {
    const { x, y, width, height } = boxOf(candidate);
    return segmentsOf(points).some(({ axis, at, low, high }) =>
      axis === "x"
        ? at > y && at < y + height && low < x + width && high > x
        : at > x && at < x + width && low < y + height && high > y,
    );
  });
  return hits.map(({ id }) => id);
}

/** A raster of nodes with some left out, and edges between any two of them. */
function random(seed: number, n_columns: number, n_rows: number, n_edges: number): [Node[], Edge[]] {
  const dice = createRandom(seed);
  const spots = Array.from({ length: n_columns * n_rows }, (_, index) => index).filter(() => dice.next() < 0.8);
  const nodes = spots.map((spot) =>
    node(`n${spot}`, 80 + 270 * (spot % n_columns), 80 + 180 * Math.floor(spot / n_columns)),
  );
  const pick = () => nodes[Math.floor(dice.next() * nodes.length)]!.id;
  const pairs = new Set(Array.from({ length: n_edges }, () => `${pick()} ${pick()}`));
  return [nodes, edges(...[...pairs].filter((pair) => new Set(pair.split(" ")).size === 2))];
}

describe("routes", () => {
  const [a, b, c] = [node("a", 0, 0), node("b", 280, 0), node("c", 560, 0)];
  const below = node("below", 280, 200);

  it.each([
    ["straight to a neighbour", [a, b], "187,40 273,40"],
    ["in the middle between columns", [a, node("b", 280, 200)], "187,40 220,40 220,240 273,240"],
    ["around what stands in between", [a, c, node("x", 280, 0)], "187,40 200,40 200,100 530,100 530,40 553,40"],
    ["back over the nodes", [c, a], "747,40 760,40 760,100 -30,100 -30,40 -7,40"],
    ["between the rows when it goes back down", [b, node("d", 0, 200)], "467,40 480,40 480,180 -30,180 -30,240 -7,240"],
  ])("go %s", (_, nodes, way) => {
    const [from, to] = nodes as [Node, Node];
    expect(written(routes(nodes, edges(`${from.id} ${to.id}`)).get("e1"))).toBe(way);
  });

  it("lie beside each other, not on each other", () => {
    const fork = node("if", 0, 0, "if");
    const lines = routes([fork, b, below], edges("if.true below", "if.false b"));
    const uprights = [...lines.values()].map((points) => points[1]!.x);
    expect(Math.abs(uprights[0]! - uprights[1]!)).toBeGreaterThanOrEqual(8);
  });

  it("of a row of outputs do not cross on the way to one node", () => {
    const fork = node("if", 0, 200, "if");
    const lines = routes([fork, b], edges("if.true b", "if.false b"));
    expect([...lines].map(([id, points]) => [id, points[1]!.x])).toEqual([
      ["e1", 220],
      ["e2", 230],
    ]);
  });

  it("keep whole pixels, off nodes, and the same each time", () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const [nodes, joined] = random(seed, 6, 4, 18);
      const lines = routes(nodes, joined);
      expect(lines).toEqual(routes(structuredClone(nodes), structuredClone(joined)));
      expect([...lines.values()].flat().every(({ x, y }) => Number.isInteger(x) && Number.isInteger(y))).toBe(true);
      expect([...lines].map(([id, points]) => [id, under(points, nodes)])).toEqual(joined.map(({ id }) => [id, []]));
    }
  });

  it("of many nodes are found while one is dragged", () => {
    const nodes = Array.from({ length: 60 }, (_, index) =>
      node(`n${index}`, 80 + 270 * (index % 10), 80 + 180 * Math.floor(index / 10)),
    );
    const joined = edges(
      ...nodes.slice(3).flatMap((_, index) => [`n${index} n${index + 1}`, `n${index} n${index + 3}`]),
    );
    const start = performance.now();
    const lines = routes(nodes, joined);
    expect(performance.now() - start).toBeLessThan(1000);
    expect([...lines.values()].flatMap((points) => under(points, nodes))).toEqual([]);
  });
});
