import type { Workflow } from "../../model/document";
import { counted } from "../../model/summary";
import { EdgePanel } from "./EdgePanel";
import { NodePanel } from "./NodePanel";
import { DeleteFooter } from "./DeleteFooter";
import { WorkflowPanel } from "./WorkflowPanel";

interface PanelProps {
  workflow: Workflow;
  selection: ReadonlySet<string>;
  onSelect: (selection: ReadonlySet<string>) => void;
  onDelete: (ids: ReadonlySet<string>) => void;
}

/** What is selected, with its properties; the workflow itself when nothing is. */
export function Panel({ workflow, selection, onSelect, onDelete }: PanelProps) {
  return (
    <aside className="panel" aria-label="Properties" data-geo="panel" data-geo-area>
      <PanelContent workflow={workflow} selection={selection} onSelect={onSelect} onDelete={onDelete} />
    </aside>
  );
}

function PanelContent({ workflow, selection, onSelect, onDelete }: PanelProps) {
  const [only] = selection;
  const node = workflow.nodes.find(({ id }) => id === only);
  const edge = workflow.edges.find(({ id }) => id === only);
  const remove = () => onDelete(selection);
  if (selection.size > 1) {
    return (
      <>
        <h2 className="side-title">Selection</h2>
        <div className="panel-body">
          <p>{counted(selection.size, "item")} selected.</p>
        </div>
        <DeleteFooter words="Delete selection" onDelete={remove} />
      </>
    );
  }
  if (node) return <NodePanel key={node.id} node={node} onDelete={remove} />;
  if (edge) return <EdgePanel workflow={workflow} edge={edge} onDelete={remove} />;
  return <WorkflowPanel workflow={workflow} onSelect={onSelect} />;
}
