import { describe, expect, it } from "vitest";
import { kindOf } from "./catalogue";
import type { Workflow, WorkflowDocument } from "./document";
import { fill, type Start } from "./templates";
import { addWorkflow, exportName, exportText, readRecipe, readSettings } from "./transfer";

const starts = import.meta.glob<Start>("../starts/*.json", { eager: true, import: "default" });

describe("the starting workflows", () => {
  it.each(Object.keys(starts))("%s is a workflow the app can read", (path) => {
    const text = JSON.stringify(fill(starts[path]!));
    expect(text).not.toContain("{{");
    expect(readRecipe(text)).toEqual({ ok: expect.anything() });
  });
});

describe("export and import", () => {
  it("bring the same workflow back under new ids", () => {
    const recipe = fill(Object.values(starts)[0]!);
    const document: WorkflowDocument = { workflows: [], open: null };
    addWorkflow(document, recipe);
    const outcome = readRecipe(exportText(document.workflows[0]!));
    if ("problem" in outcome) throw new Error(outcome.problem);
    addWorkflow(document, outcome.ok);
    const [first, second] = document.workflows as [Workflow, Workflow];
    expect(second.nodes.map(({ kind, settings }) => [kind, settings])).toEqual(
      first.nodes.map(({ kind, settings }) => [kind, settings]),
    );
    const ids = document.workflows.flatMap(({ nodes, edges }) => [...nodes, ...edges].map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    const indices = ({ nodes, edges }: Workflow) =>
      edges.map((edge) => [edge.source, edge.target].map((end) => nodes.findIndex(({ id }) => id === end)));
    expect(indices(second)).toEqual(indices(first));
  });

  it.each([
    ["API Data Pipeline", "api-data-pipeline.json"],
    ["Range -> Map -> Table (scaffolding)", "range-map-table-scaffolding.json"],
    ["???", "workflow.json"],
  ])("%s is saved as %s", (name, file) => expect(exportName({ id: "w1", name, nodes: [], edges: [] })).toBe(file));
});

describe("what cannot be imported", () => {
  const node = (more: object) => ({ id: "a", kind: "map", position: { x: 0, y: 0 }, ...more });
  it.each([
    ["[]", "The workflow must be an object."],
    ["{}", "The workflow has no name."],
    [JSON.stringify({ name: "X" }), "The workflow needs a list of nodes."],
    [JSON.stringify({ name: "X", nodes: [node({ kind: "nope" })] }), "Node a has an unknown kind: nope."],
    [JSON.stringify({ name: "X", nodes: [node({}), node({})] }), "Two nodes have the same id."],
    [
      JSON.stringify({ name: "X", nodes: [node({ position: { x: "1", y: 0 } })] }),
      "The position of node a needs numbers.",
    ],
    [JSON.stringify({ name: "X", nodes: [node({ settings: { field: 3 } })] }), "Field cannot be 3."],
    [JSON.stringify({ name: "X", nodes: [node({ settings: { colour: "" } })] }), "Map has no setting called colour."],
    [
      JSON.stringify({ name: "X", nodes: [node({})], edges: [{ source: "a", target: "b" }] }),
      "The connection from a to b names a node that is not there.",
    ],
    [
      JSON.stringify({
        name: "X",
        nodes: [node({}), node({ id: "b" })],
        edges: [{ source: "a", output: "true", target: "b" }],
      }),
      "The connection from a to b leaves an output that is not there: true.",
    ],
  ])("%s", (text, problem) => expect(readRecipe(text)).toEqual({ problem }));

  it("is said to be no JSON when it is none", () => {
    expect(readRecipe("{")).toEqual({ problem: expect.stringMatching(/^This is not JSON: /) });
  });
});

describe("settings as JSON", () => {
  it("take defaults for what is left out", () => {
    expect(readSettings(kindOf("wait"), '{"amount": 2}')).toEqual({ ok: { amount: 2, unit: "seconds", notes: "" } });
  });

  it.each([
    ["wait", '{"unit": "years"}'],
    ["switch", '{"default": "yes"}'],
    ["switch", '{"cases": [{"label": "a"}, {"label": "a"}]}'],
    ["switch", '{"cases": [{"label": "default"}]}'],
    ["switch", '{"cases": [{"expr": "1"}]}'],
    ["editFields", '{"fields": [{"name": "a", "value": 1}]}'],
  ])("of %s are refused: %s", (kind, text) =>
    expect(readSettings(kindOf(kind), text)).toEqual({ problem: expect.stringContaining("cannot be") }),
  );
});
