import type { FieldValue } from "../model/catalogue";
import { casesOf, type Node } from "../model/document";
import { counted } from "../model/summary";
import { evaluate } from "./expression/evaluate";
import { orders, people, type Item } from "./sample";

/** What a node sends on, by output, with a few words for the table of the preview. */
export interface Sent {
  byOutput: Map<string, Item[]>;
  words: string;
}

const MOST_ITEMS = 1000;

/** Runs one node on the items it received. Throws a sentence when its settings cannot be run. */
export function runNode(node: Node, received: readonly Item[]): Sent {
  if (node.kind === "if") return runIf(node, received);
  if (node.kind === "switch") return runSwitch(node, received);
  const items = transform(node, received);
  return { byOutput: new Map([["main", items]]), words: wordsOf(node, items) };
}

function transform(node: Node, received: readonly Item[]): Item[] {
  const text = (key: string) => String(node.settings[key] ?? "");
  const number = (key: string) => Number(node.settings[key] ?? 0);
  switch (node.kind) {
    case "manualTrigger":
    case "scheduleTrigger":
      return [{}];
    case "chatTrigger":
      return [{ message: "Hello" }];
    case "webhookTrigger":
    case "databaseConnector":
      return structuredClone(orders) as Item[];
    case "httpRequest":
      return text("method") === "GET" ? (structuredClone(people) as Item[]) : [...received];
    case "spreadsheet":
      return structuredClone(orders.slice(0, 5)) as Item[];
    case "rangeGenerator":
      return range(number("from"), number("to"), number("step"));
    case "map":
    case "formula":
      return received.map((item) => ({ ...item, [text("field") || "value"]: evaluate(text("expression"), item) }));
    case "editFields":
      return received.map((item) => ({ ...item, ...assigned((node.settings["fields"] ?? []) as FieldValue[], item) }));
    case "filter":
      return received.filter((item) => evaluate(text("condition"), item));
    case "sort":
      return sorted(received, text("field"), text("direction"));
    case "limit":
      return text("keep") === "last" ? received.slice(-number("count")) : received.slice(0, number("count"));
    case "removeDuplicates":
      return distinct(received, text("field"));
    case "aggregate":
      return [{ [text("operation")]: aggregate(received, text("operation"), text("field")) }];
    case "summarise":
      return [{ summary: `Summary of ${counted(received.length, "item")}` }];
    default:
      return [...received];
  }
}

function wordsOf(node: Node, items: readonly Item[]): string {
  if (node.kind === "sendEmail") return `${counted(items.length, "message")} would be sent`;
  if (node.kind === "dataTable") return `${counted(items.length, "row")} would be stored`;
  if (node.kind === "wait") return `would wait ${String(node.settings["amount"])} ${String(node.settings["unit"])}`;
  if (node.kind === "httpRequest" || node.kind === "databaseConnector" || node.kind === "spreadsheet")
    return "sample data";
  return "";
}

function runIf(node: Node, received: readonly Item[]): Sent {
  const condition = String(node.settings["condition"] ?? "");
  const yes = received.filter((item) => evaluate(condition, item));
  const no = received.filter((item) => !yes.includes(item));
  return {
    byOutput: new Map([
      ["true", yes],
      ["false", no],
    ]),
    words: `${yes.length} true, ${no.length} false`,
  };
}

function runSwitch(node: Node, received: readonly Item[]): Sent {
  const byOutput = new Map<string, Item[]>();
  for (const item of received) {
    const output = routeOf(node, item);
    byOutput.set(output, [...(byOutput.get(output) ?? []), item]);
  }
  const words = [...byOutput].map(([output, items]) => `${items.length} ${output}`).join(", ");
  return { byOutput, words };
}

function routeOf(node: Node, item: Item): string {
  const value = String(node.settings["value"] ?? "");
  const matches = ({ label, expr }: { label: string; expr?: string }) =>
    expr ? Boolean(evaluate(expr, item)) : value !== "" && String(evaluate(value, item)) === label;
  return casesOf(node).find(matches)?.label ?? "default";
}

function range(from: number, to: number, step: number): Item[] {
  if (step === 0 || Math.sign(to - from) * step < 0) throw new Error("the step never reaches the end");
  const count = Math.floor((to - from) / step) + 1;
  if (count > MOST_ITEMS) throw new Error(`a preview makes at most ${MOST_ITEMS} items`);
  return Array.from({ length: count }, (_, index) => ({ value: from + index * step }));
}

function assigned(fields: readonly FieldValue[], item: Item): Item {
  return Object.fromEntries(fields.map(({ name, value }) => [name, evaluate(value, item)]));
}

function sorted(items: readonly Item[], field: string, direction: string): Item[] {
  const sign = direction === "desc" ? -1 : 1;
  return [...items].sort((one, other) => sign * compare(one[field], other[field]));
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one ?? "") < String(other ?? "") ? -1 : String(one ?? "") > String(other ?? "") ? 1 : 0;
}

function distinct(items: readonly Item[], field: string): Item[] {
  const seen = new Set<unknown>();
  return items.filter((item) => !seen.has(item[field]) && seen.add(item[field]));
}

function aggregate(items: readonly Item[], operation: string, field: string): unknown {
  const values = items.map((item) => item[field]);
  const numbers = values.map(Number).filter(Number.isFinite);
  const sum = numbers.reduce((total, value) => total + value, 0);
  switch (operation) {
    case "sum":
      return sum;
    case "average":
      return numbers.length === 0 ? null : sum / numbers.length;
    case "min":
      return numbers.length === 0 ? null : Math.min(...numbers);
    case "max":
      return numbers.length === 0 ? null : Math.max(...numbers);
    case "collect":
      return values;
    default:
      return items.length;
  }
}
