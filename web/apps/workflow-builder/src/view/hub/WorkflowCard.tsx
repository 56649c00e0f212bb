import { Button } from "@quintain/kit";
import { Trash2 } from "lucide-react";
import type { Workflow } from "../../model/document";
import { counted } from "../../model/summary";
import { store } from "../../store";
import { Thumbnail } from "./Thumbnail";

/** A workflow of the document; pressing it opens it. */
export function WorkflowCard({ workflow, onDelete }: { workflow: Workflow; onDelete: () => void }) {
  const { id, name, nodes, edges } = workflow;
  return (
    <article className="card" aria-label={name}>
      <button
        type="button"
        className="card-open"
        aria-label={`Open ${name}`}
        data-geo={`hub/workflow/${id}`}
        onClick={() => open(id)}
      >
        <Thumbnail workflow={workflow} />
        <span className="card-name">{name}</span>
        <span className="card-facts">
          {counted(nodes.length, "node")}, {counted(edges.length, "connection")}
        </span>
      </button>
      <Button look="ghost" className="card-delete" label={`Delete ${name}`} geo={`hub/delete/${id}`} onPress={onDelete}>
        <Trash2 size={15} aria-hidden="true" />
      </Button>
    </article>
  );
}

function open(id: string): void {
  store.change(
    "Open workflow",
    (draft) => {
      draft.open = id;
    },
    { forget: true },
  );
}
