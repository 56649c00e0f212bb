import { describe, expect, it } from "vitest";
import { defaultSettings, kindOf, type SettingValue } from "../model/catalogue";
import type { Workflow } from "../model/document";
import { evaluate } from "./expression/evaluate";
import { dryRun } from "./run";

const item = {
  value: 12,
  email: "ada@mail.example.org",
  active: true,
  address: { city: "Gwenborough" },
  tags: ["a", "b"],
  nothing: null,
};

describe("evaluate", () => {
  it.each([
    ["item.value * 2", 24],
    ["item.value > 10", true],
    ["1 + 2 * 3 - 4 / 2", 5],
    ["(1 + 2) * 3 % 4", 1],
    ["-item.value + 2", -10],
    ["10 - 3 - 2", 5],
    ["item.email.includes('.org')", true],
    ['item.address?.city === "Gwenborough"', true],
    ["item.nothing?.city.length", undefined],
    ["item.missing ?? 'none'", "none"],
    ["(item.counter || 0) + 1", 1],
    ["item.active && item.value >= 12 ? 'yes' : 'no'", "yes"],
    ["!item.active || false", false],
    ["'a' + \"b\" + 1", "ab1"],
    ["'it\\'s'", "it's"],
    ["item.tags[1].toUpperCase()", "B"],
    ["item.tags.length", 2],
    ["item['value']", 12],
    ["[1, 2].includes(2)", true],
    ["Math.max(1, item.value)", 12],
    ["item.value == '12'", true],
  ])("%s is %j", (text, value) => expect(evaluate(text, item)).toBe(value));

  it.each([
    ["", "the expression is empty"],
    ["item.", "a field name is missing after the dot"],
    ["1 +", "the expression ends too early"],
    ["(1", "a ) is missing in the expression"],
    ["item.value 2", "unexpected 2 in the expression"],
    ["item.value = 2", "unexpected = in the expression"],
    ["item.nothing.city", "city of nothing"],
    ["window", "window is not known"],
    ["constructor", "constructor is not known"],
    ["item.constructor('x')", "constructor cannot be called here"],
    ["item.email.constructor", undefined],
    ["item.__proto__", undefined],
    ["fetch('x')", "fetch cannot be called"],
  ])("%j does not reach outside", (text, outcome) => {
    const run = () => evaluate(text, item);
    if (outcome === undefined) expect(run()).toBeUndefined();
    else expect(run).toThrow(outcome);
  });
});

type Step = [id: string, kind: string, settings?: Record<string, SettingValue>];

function workflow(nodes: Step[], edges: string[]): Workflow {
  return {
    id: "w1",
    name: "Test",
    nodes: nodes.map(([id, kind, settings]) => ({
      id,
      kind,
      name: kind,
      position: { x: 0, y: 0 },
      settings: { ...defaultSettings(kindOf(kind)), ...settings },
    })),
    edges: edges.map((text, index) => {
      const [source, output, target] = text.split(" ") as [string, string, string];
      return { id: `e${index}`, source, output, target };
    }),
  };
}

const told = (nodes: Step[], edges: string[]) =>
  dryRun(workflow(nodes, edges)).map(
    ({ node, status, received, items, words }) => `${node.id} ${status} ${received} > ${items.length} ${words}`,
  );

describe("dryRun", () => {
  it("really maps, filters, sorts and limits", () => {
    const rows = dryRun(
      workflow(
        [
          ["r", "rangeGenerator", { from: 1, to: 10, step: 1 }],
          ["m", "map", { field: "value", expression: "item.value * 3" }],
          ["f", "filter", { condition: "item.value > 10" }],
          ["s", "sort", { field: "value", direction: "desc" }],
          ["l", "limit", { count: 3, keep: "first" }],
        ],
        ["r main m", "m main f", "f main s", "s main l"],
      ),
    );
    expect(rows.at(-1)!.items).toEqual([{ value: 30 }, { value: 27 }, { value: 24 }]);
  });

  it("splits and joins branches", () => {
    const steps: Step[] = [
      ["j", "merge"],
      ["r", "rangeGenerator", { from: 1, to: 5, step: 1 }],
      ["i", "if", { condition: "item.value < 3" }],
      [
        "w",
        "switch",
        { value: "item.value", cases: [{ label: "4" }, { label: "odd", expr: "item.value % 2 === 1" }], default: true },
      ],
    ];
    expect(told(steps, ["r main i", "i true j", "i false w", "w 4 j", "w odd j", "w default j"])).toEqual([
      "r done 0 > 5 ",
      "i done 5 > 5 2 true, 3 false",
      "w done 3 > 3 2 odd, 1 4",
      "j done 5 > 5 ",
    ]);
  });

  it("goes through a loop once and says what was not reached or cannot run", () => {
    const steps: Step[] = [
      ["t", "manualTrigger"],
      ["m", "map", { field: "counter", expression: "(item.counter || 0) + 1" }],
      ["i", "if", { condition: "item.counter < 3" }],
      ["d", "dataTable"],
      ["f", "filter", { condition: "item.x +" }],
      ["x", "noOperation"],
    ];
    expect(told(steps, ["t main m", "m main i", "i true m", "i false d", "m main f"])).toEqual([
      "t done 0 > 1 ",
      "m done 1 > 1 ",
      "i done 1 > 1 1 true, 0 false",
      "d not reached 0 > 0 ",
      "f problem 1 > 0 the expression ends too early",
      "x not reached 0 > 0 ",
    ]);
  });
});
