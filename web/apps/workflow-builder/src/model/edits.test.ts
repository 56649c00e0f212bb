import { describe, expect, it } from "vitest";
import { defaultSettings, kindOf } from "./catalogue";
import type { WorkflowDocument } from "./document";
import {
  addCase,
  addNode,
  canConnect,
  connect,
  move,
  remove,
  removeCase,
  renameCase,
  set,
  setAll,
  setCaseExpression,
} from "./edits";

/** A document whose open workflow has these nodes and edges, as "n1 map" and "n1 main n2". */
function documentOf(nodes: string[], edges: string[] = []): WorkflowDocument {
  const made = nodes.map((text) => {
    const [id, kind] = text.split(" ") as [string, string];
    return { id, kind, name: kindOf(kind).name, position: { x: 0, y: 0 }, settings: defaultSettings(kindOf(kind)) };
  });
  const joined = edges.map((text, index) => {
    const [source, output, target] = text.split(" ") as [string, string, string];
    return { id: `e${index + 1}`, source, output, target };
  });
  return { workflows: [{ id: "w1", name: "Test", nodes: made, edges: joined }], open: "w1" };
}

const edgesOf = (document: WorkflowDocument) =>
  document.workflows[0]!.edges.map(({ id, source, output, target }) => `${id}: ${source} ${output} ${target}`);

function switchDocument(): WorkflowDocument {
  const document = documentOf(["n1 switch", "n2 map", "n3 map"]);
  set(document, "n1", "cases", [{ label: "high" }, { label: "low", expr: "item.p < 2" }]);
  connect(document, "n1", "high", "n2");
  connect(document, "n1", "low", "n2");
  connect(document, "n1", "default", "n3");
  return document;
}

describe("nodes and edges", () => {
  it("count their ids on over the whole document", () => {
    const document = documentOf(["n1 manualTrigger", "n4 map"], ["n1 main n4"]);
    document.workflows.unshift({ ...structuredClone(document.workflows[0]!), id: "w7", nodes: [], edges: [] });
    document.workflows[0]!.edges.push({ id: "e9", source: "n1", output: "main", target: "n4" });
    expect(addNode(document, "sort", { x: 20, y: 40 })).toBe("n5");
    connect(document, "n4", "main", "n5");
    expect(document.workflows[1]!.edges.at(-1)!.id).toBe("e10");
  });

  it("begin with their default settings, each node its own", () => {
    const document = documentOf([]);
    addNode(document, "switch", { x: 0, y: 0 });
    addNode(document, "switch", { x: 0, y: 0 });
    addCase(document, "n1");
    expect(document.workflows[0]!.nodes.map(({ settings }) => settings)).toEqual([
      { value: "", cases: [{ label: "case_1" }], default: true, notes: "" },
      { value: "", cases: [], default: true, notes: "" },
    ]);
  });

  it("are deleted with the edges that touch them", () => {
    const document = documentOf(["n1 manualTrigger", "n2 map", "n3 sort"], ["n1 main n2", "n2 main n3"]);
    remove(document, new Set(["n2"]));
    expect(edgesOf(document)).toEqual([]);
  });

  it("lie on whole pixels", () => {
    const document = documentOf(["n1 map", "n2 map"]);
    move(document, new Map([["n1", { x: 19.6, y: -0.4 }]]));
    expect(document.workflows[0]!.nodes.map(({ position }) => position)).toEqual([
      { x: 20, y: 0 },
      { x: 0, y: 0 },
    ]);
  });
});

describe("canConnect", () => {
  const [workflow] = documentOf(["n1 manualTrigger", "n2 if", "n3 map"], ["n1 main n2"]).workflows;
  it.each([
    ["n2", "true", "n3", true],
    ["n2", "false", "n3", true],
    ["n1", "main", "n3", true],
    ["n3", "main", "n2", true],
    ["n1", "main", "n2", false],
    ["n2", "main", "n3", false],
    ["n3", "main", "n1", false],
    ["n3", "main", "n3", false],
    ["n3", "main", "n9", false],
  ])("from %s %s to %s: %s", (source, output, target, expected) =>
    expect(canConnect(workflow!, source, output, target)).toBe(expected),
  );
});

describe("cases", () => {
  it("take their edges along when renamed", () => {
    const document = switchDocument();
    renameCase(document, "n1", 0, "urgent");
    expect(edgesOf(document)).toEqual(["e1: n1 urgent n2", "e2: n1 low n2", "e3: n1 default n3"]);
  });

  it.each(["low", "default", "", "  "])("are not renamed to %j", (label) => {
    const document = switchDocument();
    renameCase(document, "n1", 0, label);
    expect(document).toEqual(switchDocument());
  });

  it("take their edges away when removed", () => {
    const document = switchDocument();
    removeCase(document, "n1", 0);
    expect(edgesOf(document)).toEqual(["e2: n1 low n2", "e3: n1 default n3"]);
  });

  it("have no expression rather than an empty one", () => {
    const document = switchDocument();
    setCaseExpression(document, "n1", 0, "item.p > 2");
    setCaseExpression(document, "n1", 1, "");
    expect(document.workflows[0]!.nodes[0]!.settings["cases"]).toEqual([
      { label: "high", expr: "item.p > 2" },
      { label: "low" },
    ]);
  });

  it("get a label nobody has", () => {
    const document = switchDocument();
    renameCase(document, "n1", 0, "case_3");
    addCase(document, "n1");
    expect(document.workflows[0]!.nodes[0]!.settings["cases"]).toMatchObject([{}, {}, { label: "case_4" }]);
  });
});

describe("settings", () => {
  it("take the edges of a default output that goes away", () => {
    const document = switchDocument();
    set(document, "n1", "default", false);
    expect(edgesOf(document)).toEqual(["e1: n1 high n2", "e2: n1 low n2"]);
  });

  it("written as a whole keep the edges of cases that changed places or labels", () => {
    const document = switchDocument();
    setAll(document, "n1", { value: "", cases: [{ label: "low" }, { label: "high" }], default: true, notes: "" });
    expect(edgesOf(document)).toEqual(["e1: n1 high n2", "e2: n1 low n2", "e3: n1 default n3"]);
    setAll(document, "n1", { value: "", cases: [{ label: "lower" }, { label: "high" }], default: true, notes: "" });
    expect(edgesOf(document)).toEqual(["e1: n1 high n2", "e2: n1 lower n2", "e3: n1 default n3"]);
    setAll(document, "n1", { value: "", cases: [], default: true, notes: "" });
    expect(edgesOf(document)).toEqual(["e3: n1 default n3"]);
  });
});
