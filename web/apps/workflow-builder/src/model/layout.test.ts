import { describe, expect, it } from "vitest";
import { defaultSettings, kindOf, searchKinds } from "./catalogue";
import { curve, rounded } from "./curve";
import type { Node } from "./document";
import { nodeHeight, outputAnchor } from "./measures";
import { placeNode } from "./place";
import { briefOf, summaryOf } from "./summary";
import { boxOf, fit, reveal, zoomAround, zoomLevel } from "./viewport";

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
    while (up.length < 7) up.push(zoomLevel(up.at(-1)!, "in"));
    expect(up).toEqual([0.5, 0.6, 0.75, 1, 1.25, 1.5, 1.5]);
    expect([1.5, 0.6, 0.5].map((level) => zoomLevel(level, "out"))).toEqual([1.25, 0.5, 0.5]);
  });

  it("keeps the point under the pointer", () => {
    expect(zoomAround({ x: 100, y: 50, zoom: 0.5 }, 1, { x: 300, y: 150 })).toEqual({ x: -100, y: -50, zoom: 1 });
  });
});

describe("fit", () => {
  it.each([
    ["one node at full size", [0], 1],
    ["four columns at three quarters", [0, 280, 560, 840], 0.75],
    ["five columns at three fifths", [0, 280, 560, 840, 1120], 0.6],
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

it("reveal moves only where it has to", () => {
  const viewport = { x: 0, y: 0, zoom: 1 };
  expect(reveal(node("map", 100, 100), viewport, SIZE)).toEqual(viewport);
  expect(reveal(node("map", 800, -100), viewport, SIZE)).toEqual({ x: -200, y: 140, zoom: 1 });
  expect(reveal(node("map", 100, 560), viewport, SIZE)).toEqual({ x: 0, y: -52, zoom: 1 });
});

describe("placeNode", () => {
  const viewport = { x: 0, y: 0, zoom: 0.75 };
  const place = (nodes: Node[], selected?: Node) => placeNode(nodes, node("if"), selected, viewport, SIZE);
  const row = (n_columns: number, y = 240) =>
    Array.from({ length: n_columns }, (_, index) => node("map", 80 + 280 * index, y));

  it("begins at the left", () => expect(place([])).toEqual({ x: 60, y: 380 }));

  it.each([
    ["right of the selected node", row(1), 0, { x: 360, y: 240 }],
    ["in the next column that there is", [...row(1), node("map", 350, 500)], 0, { x: 350, y: 240 }],
    ["at the end of the row when the spot is taken", row(3), 0, { x: 920, y: 240 }],
    ["at the end of the last row when nothing is selected", [...row(3), ...row(1, 500)], -1, { x: 360, y: 500 }],
    ["in a row below when the row is as wide as can be shown", row(6), 2, { x: 80, y: 400 }],
    ["in a row below rather than squeezed in", [node("map", 80, 240), node("map", 360, 160)], 0, { x: 80, y: 400 }],
  ])("goes %s", (_, nodes, selected, spot) => expect(place(nodes, nodes[selected])).toEqual(spot));

  it("keeps to columns and rows and away from other nodes", () => {
    const nodes: Node[] = [];
    for (let count = 0; count < 20; count += 1) {
      const added = { ...node("if"), id: `n${count}`, position: place(nodes, nodes.at(-1)) };
      const [a, all] = [boxOf(added), nodes.map(boxOf)];
      expect(all.every((b) => a.x >= b.x + b.width + 40 || a.y >= b.y + b.height + 40)).toBe(true);
      nodes.push(added);
    }
    expect(new Set(nodes.map(({ position }) => position.x)).size).toBe(6);
    expect(new Set(nodes.map(({ position }) => position.y)).size).toBe(4);
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

describe("lines", () => {
  it("follow the pointer in one bend", () => {
    expect(curve({ x: 0, y: 0 }, { x: 100, y: 50 })).toBe("M0 0C50 0 50 50 100 50");
  });

  it("have their corners rounded, less where there is little room", () => {
    const [a, b, c, d] = [0, 30, 30, 60].map((x, index) => ({ x, y: index < 2 ? 0 : 15 }));
    expect(rounded([a!, b!, c!, d!])).toBe("M0 0L23 0Q30 0 30 7L30 8Q30 15 37 15L60 15");
  });
});

describe("searchKinds", () => {
  it.each([
    ["send email", "sendEmail"],
    ["HTTP", "httpRequest"],
    ["no op", "noOperation"],
    ["set", "editFields"],
  ])("%s finds %s first", (text, kind) => expect(searchKinds(text)[0]?.kind).toBe(kind));

  it("lists only names that hold every word", () => {
    expect(searchKinds("Data Table").map(({ kind }) => kind)).toEqual(["dataTable"]);
    expect(searchKinds("data").map(({ kind }) => kind)).toEqual(["dataTable", "databaseConnector"]);
  });

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
          { name: "b", value: "" },
        ],
      },
      "a = 1, b",
    ],
    ["noOperation", {}, ""],
  ])("of %s %j is %j", (kind, settings, text) => expect(summaryOf(node(kind, 0, 0, settings))).toBe(text));
});

it("briefOf tells the first field and how many follow", () => {
  const fields = [1, 2, 3].map((value) => ({ name: `f${value}`, value: `${value}` }));
  expect(briefOf(node("editFields", 0, 0, { fields }))).toBe("f1 = 1 +2");
  expect(briefOf(node("editFields", 0, 0, { fields: fields.slice(0, 1) }))).toBe("f1 = 1");
  expect(briefOf(node("filter", 0, 0, { condition: "item.x" }))).toBe("item.x");
});
