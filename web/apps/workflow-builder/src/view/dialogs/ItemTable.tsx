import { counted } from "../../model/summary";
import type { Item } from "../../preview/sample";

const MOST_ROWS = 4;
const MOST_COLUMNS = 6;

/** The first few items that a node sent on. */
export function ItemTable({ name, items }: { name: string; items: readonly Item[] }) {
  const columns = [...new Set(items.flatMap(Object.keys))].slice(0, MOST_COLUMNS);
  return (
    <section className="items" aria-label={`Output of ${name}`}>
      <h3 className="field-label">
        Output of {name}: {counted(items.length, "item")}
      </h3>
      {columns.length > 0 && (
        <table className="table table-items">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column}>{column}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.slice(0, MOST_ROWS).map((item, index) => (
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column}>{shown(item[column])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function shown(value: unknown): string {
  if (typeof value === "number") return String(Math.round(value * 1e6) / 1e6);
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
