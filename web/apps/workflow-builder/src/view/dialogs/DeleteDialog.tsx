import { Dialog } from "@quintain/kit";
import type { Workflow } from "../../model/document";
import { store } from "../../store";

/** Asks before a workflow is thrown away. */
export function DeleteDialog({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  function remove(): void {
    store.change("Delete workflow", (draft) => {
      draft.workflows = draft.workflows.filter(({ id }) => id !== workflow.id);
    });
    onClose();
  }
  return (
    <Dialog title="Delete workflow" ok="Delete" look="danger" onOk={remove} onCancel={onClose}>
      <p>
        Delete <strong>{workflow.name}</strong> with all its nodes? This cannot be undone.
      </p>
    </Dialog>
  );
}
