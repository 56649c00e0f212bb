import type { Workflow } from "../../model/document";
import { counted, summaryOf } from "../../model/summary";
import { KindIcon } from "../KindIcon";

interface WorkflowPanelProps {
  workflow: Workflow;
  onSelect: (selection: ReadonlySet<string>) => void;
}

/** What the workflow holds, when nothing is selected. */
export function WorkflowPanel({ workflow: { name, nodes, edges }, onSelect }: WorkflowPanelProps) {
  return (
    <>
      <h2 className="side-title">Workflow</h2>
      <div className="panel-body" data-geo="panel/scroll" data-geo-area>
        <div>
          <div className="panel-kind-name">{name}</div>
          <div className="panel-about">
            {counted(nodes.length, "node")}, {counted(edges.length, "connection")}
          </div>
        </div>
        <p className="panel-hint">
          Select a node or a connection to see its properties. Drag from a port on the right of a node to a port on the
          left of another to connect them.
        </p>
        <ul className="outline" aria-label="Nodes of the workflow">
          {nodes.map((node) => (
            <li key={node.id}>
              <button
                type="button"
                className="outline-item"
                data-geo={`panel/list/${node.id}`}
                onClick={() => onSelect(new Set([node.id]))}
              >
                <KindIcon kind={node.kind} size={12} />
                <span className="outline-words">
                  <span className="outline-name">{node.name}</span>
                  <span className="outline-summary">{summaryOf(node)}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
