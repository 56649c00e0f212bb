import { Dialog } from "@quintain/kit";
import type { Workflow } from "../../model/document";

/** Placeholder. */
export function PreviewDialog({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  return (
    <Dialog title="Run preview" cancel="Close" onCancel={onClose}>
      {workflow.name}
    </Dialog>
  );
}
