import { casesOf, type Node } from "./document";

/** The summary for where there is little room: of several fields only the first, and how many more there are. */
export function briefOf(node: Node): string {
  const [first, ...more] = assignments(node);
  return first && more.length > 0 ? `${first} +${more.length}` : summaryOf(node);
}

/** The main setting of a node in one line; empty when there is nothing to say yet. */
export function summaryOf(node: Node): string {
  const text = (key: string) => String(node.settings[key] ?? "").trim();
  const both = (one: string, joint: string, other: string) => (one && other ? `${one}${joint}${other}` : one || other);
  switch (node.kind) {
    case "scheduleTrigger":
      return `every ${counted(Number(text("interval")), text("unit").replace(/s$/, ""))}`;
    case "webhookTrigger":
      return both(text("method"), " ", text("path"));
    case "if":
    case "filter":
      return text("condition");
    case "switch":
      return text("value") || counted(casesOf(node).length, "case");
    case "wait":
      return counted(Number(text("amount")), text("unit").replace(/s$/, ""));
    case "loopItems":
      return `batches of ${text("batch")}`;
    case "map":
    case "formula":
      return both(text("field"), " = ", text("expression"));
    case "sort":
      return both(text("field"), " ", text("field") && text("direction"));
    case "limit":
      return `${text("keep")} ${text("count")}`;
    case "editFields":
      return assignments(node).join(", ");
    case "aggregate":
      return both(text("operation"), " of ", text("field"));
    case "rangeGenerator":
      return `${text("from")} to ${text("to")}, step ${text("step")}`;
    case "tablePreview":
      return `${text("rows")} rows`;
    case "dataTable":
      return both(text("mode"), " ", text("table"));
    case "httpRequest":
      return both(text("method"), " ", text("url"));
    case "databaseConnector":
      return text("query") || text("engine");
    case "sendEmail":
      return text("subject") || text("to");
    case "spreadsheet":
      return both(text("sheet"), " ", text("range"));
    case "crypto":
      return both(text("algorithm"), " ", text("field"));
    default:
      return ["field", "mode", "policy", "prompt", "greeting"].map(text).find(Boolean) ?? "";
  }
}

/** A count with its noun: "1 case", "3 cases". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** What a node sets, field by field. */
function assignments(node: Node): string[] {
  const fields = node.settings["fields"];
  if (!Array.isArray(fields)) return [];
  return fields
    .map((field) => ("name" in field ? [field.name, field.value].filter(Boolean).join(" = ") : ""))
    .filter(Boolean);
}
