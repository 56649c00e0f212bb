import type { Edge, Workflow } from "../../model/document";
import { summaryOf } from "../../model/summary";
import { KindIcon } from "../KindIcon";
import { DeleteFooter } from "./DeleteFooter";

/** What an edge joins. */
export function EdgePanel({ workflow, edge, onDelete }: { workflow: Workflow; edge: Edge; onDelete: () => void }) {
  return (
    <>
      <h2 className="side-title">Connection properties</h2>
      <div className="panel-body" data-geo="panel/scroll" data-geo-area>
        <EdgeEnd words="From" workflow={workflow} id={edge.source} port={`output ${edge.output}`} />
        <EdgeEnd words="To" workflow={workflow} id={edge.target} port="input" />
      </div>
      <DeleteFooter words="Delete connection" onDelete={onDelete} />
    </>
  );
}

function EdgeEnd({ words, workflow, id, port }: { words: string; workflow: Workflow; id: string; port: string }) {
  const node = workflow.nodes.find((candidate) => candidate.id === id);
  if (!node) return null;
  return (
    <div className="field">
      <span className="field-label">{words}</span>
      <div className="edge-end">
        <KindIcon kind={node.kind} size={16} />
        <div className="edge-end-words">
          <div className="panel-kind-name">{node.name}</div>
          <div className="edge-end-summary">{summaryOf(node)}</div>
          <div className="panel-about">{port}</div>
        </div>
      </div>
    </div>
  );
}
