import { describe, expect, it } from "vitest";
import { defaultSettings, kindOf, searchKinds } from "./catalogue";
import { curve, detourOf } from "./curve";
import type { Node } from "./document";
import { nodeHeight, outputAnchor } from "./measures";
import { placeNode } from "./place";
import { summaryOf } from "./summary";
import { boxOf, fit, reveal, visibleBox, zoomAround, zoomLevel } from "./viewport";

const SIZE = { width: 820, height: 672 };

function node(kind: string, x = 0, y = 0, settings = {}): Node {
  return {
    id: `${kind}-${x}-${y}`,
    kind,
    name: kind,
    position: { x, y },
    settings: { ...defaultSettings(kindOf(kind)), ...settings },
  };
}

describe("zoom", () => {
  it("goes through the levels and stops at the ends", () => {
    const up = [0.5];
    while (up.length < 6) up.push(zoomLevel(up.at(-1)!, "in"));
    expect(up).toEqual([0.5, 0.75, 1, 1.25, 1.5, 1.5]);
    expect([1.5, 0.75, 0.5].map((level) => zoomLevel(level, "out"))).toEqual([1.25, 0.5, 0.5]);
  });

  it("keeps the point under the pointer", () => {
    expect(zoomAround({ x: 100, y: 50, zoom: 0.5 }, 1, { x: 300, y: 150 })).toEqual({ x: -100, y: -50, zoom: 1 });
  });
});

describe("fit", () => {
  it.each([
    ["one node at full size", [0], 1],
    ["four columns at three quarters", [0, 280, 560, 840], 0.75],
    ["six columns at half size", [0, 280, 560, 840, 1120, 1400], 0.5],
    ["more than fits at half size too", [0, 3000], 0.5],
  ])("shows %s", (_, columns, zoom) => {
    expect(
      fit(
        columns.map((x) => node("map", x)),
        SIZE,
      ).zoom,
    ).toBe(zoom);
  });

  it("centres what fits and shows the beginning of what does not", () => {
    expect(fit([node("map", 100, 100)], SIZE)).toEqual({ x: 220, y: 174, zoom: 1 });
    expect(fit([node("map", 100, 100), node("map", 5000, 100)], SIZE).x).toBe(14 - 50);
  });
});

it("reveal moves no further than needed", () => {
  const viewport = { x: 0, y: 0, zoom: 1 };
  expect(reveal(node("map", 100, 100), viewport, SIZE)).toEqual(viewport);
  expect(reveal(node("map", 800, -100), viewport, SIZE)).toEqual({ x: -174, y: 114, zoom: 1 });
});

describe("placeNode", () => {
  const viewport = { x: 0, y: 0, zoom: 1 };
  const apart = (one: Node, other: Node) => {
    const [a, b] = [boxOf(one), boxOf(other)];
    return a.x + a.width < b.x || b.x + b.width < a.x || a.y + a.height < b.y || b.y + b.height < a.y;
  };

  it("goes right of the selected node when there is room", () => {
    const selected = node("map", 60, 200);
    expect(placeNode({ nodes: [selected], edges: [] }, node("sort"), viewport, SIZE, selected)).toEqual({
      x: 320,
      y: 200,
    });
  });

  it("fills what shows without overlap, then goes below", () => {
    const nodes: Node[] = [];
    const visible = visibleBox(viewport, SIZE);
    for (let count = 0; count < 30; count += 1) {
      const position = placeNode({ nodes, edges: [] }, node("if"), viewport, SIZE, nodes.at(-1));
      const added = { ...node("if"), id: `n${count}`, position };
      expect(
        nodes.every((other) => apart(other, added)),
        JSON.stringify(position),
      ).toBe(true);
      nodes.push(added);
    }
    const shown = nodes.filter(({ position }) => position.y < visible.height);
    expect(shown.length).toBeGreaterThanOrEqual(9);
    expect(shown.length).toBeLessThan(30);
  });

  it("keeps off the lines between nodes", () => {
    const nodes = [node("map", 40, 280), node("sort", 600, 280)];
    const edges = [{ id: "e1", source: nodes[0]!.id, output: "main", target: nodes[1]!.id }];
    const { y } = placeNode({ nodes, edges }, node("filter"), viewport, SIZE, nodes[0]);
    expect(y + 80 < 320 || y > 320).toBe(true);
  });
});

describe("ports", () => {
  it("sit in the middle of a plain node and on the rows of a labelled one", () => {
    const choice = node("switch", 0, 0, { cases: [{ label: "a" }, { label: "b" }] });
    expect([nodeHeight(node("map")), nodeHeight(choice), nodeHeight(node("if"))]).toEqual([80, 158, 134]);
    expect(outputAnchor(node("map"), "main")).toEqual({ x: 180, y: 40 });
    expect(["a", "b", "default"].map((output) => outputAnchor(choice, output).y)).toEqual([92, 116, 140]);
  });
});

describe("curve", () => {
  it("is one bend forwards and a way around backwards", () => {
    expect(curve({ x: 0, y: 0 }, { x: 100, y: 50 }, 90)).toBe("M0 0C50 0 50 50 100 50");
    expect(curve({ x: 100, y: 0 }, { x: 0, y: 0 }, 60)).toBe(
      "M100 0L112 0Q122 0 122 10L122 50Q122 60 112 60L-12 60Q-22 60 -22 50L-22 10Q-22 0 -12 0L0 0",
    );
  });

  it("passes between the nodes when there is room, else below", () => {
    expect(detourOf({ top: 0, bottom: 80 }, { top: 200, bottom: 280 })).toBe(140);
    expect(detourOf({ top: 200, bottom: 280 }, { top: 0, bottom: 80 })).toBe(140);
    expect(detourOf({ top: 0, bottom: 80 }, { top: 20, bottom: 100 })).toBe(122);
  });
});

describe("searchKinds", () => {
  it.each([
    ["send email", "sendEmail"],
    ["HTTP", "httpRequest"],
    ["no op", "noOperation"],
    ["set", "editFields"],
  ])("%s finds %s first", (text, kind) => expect(searchKinds(text)[0]?.kind).toBe(kind));

  it("looks into descriptions when no name answers", () => {
    expect(searchKinds("placeholder").map(({ kind }) => kind)).toEqual(["noOperation"]);
    expect(searchKinds("zeppelin")).toEqual([]);
  });
});

describe("summaryOf", () => {
  it.each([
    ["wait", { amount: 1, unit: "seconds" }, "1 second"],
    ["wait", { amount: 5, unit: "minutes" }, "5 minutes"],
    ["map", { field: "double", expression: "item.value * 2" }, "double = item.value * 2"],
    ["sort", { field: "", direction: "asc" }, ""],
    ["sort", { field: "email", direction: "desc" }, "email desc"],
    ["switch", { value: "", cases: [{ label: "a" }] }, "1 case"],
    [
      "editFields",
      {
        fields: [
          { name: "a", value: "1" },
          { name: "b", value: "2" },
        ],
      },
      "a, b",
    ],
    ["noOperation", {}, ""],
  ])("of %s %j is %j", (kind, settings, text) => expect(summaryOf(node(kind, 0, 0, settings))).toBe(text));
});
