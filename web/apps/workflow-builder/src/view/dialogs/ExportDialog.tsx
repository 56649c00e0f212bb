import { Dialog, tell } from "@quintain/kit";
import { useEffect } from "react";
import type { Workflow } from "../../model/document";
import { exportName, exportText } from "../../model/transfer";

/** Shows the text of a workflow and hands it over as a file. */
export function ExportDialog({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  const name = exportName(workflow);
  const text = exportText(workflow);
  useEffect(() => tell({ type: "file", name, text }), [name, text]);
  return (
    <Dialog title="Export JSON" cancel="Close" width={600} onCancel={onClose}>
      <p className="dialog-lead">
        The workflow was saved as <strong>{name}</strong>.
      </p>
      <pre className="code" aria-label="Workflow JSON" tabIndex={0} data-geo="dialog/json">
        {text}
      </pre>
    </Dialog>
  );
}
