import type { Workflow } from "../../model/document";
import { openNew } from "../hub/Hub";
import { ExportDialog } from "./ExportDialog";
import { ImportDialog } from "./ImportDialog";
import { PreviewDialog } from "./PreviewDialog";

/** The dialogs of the editor. */
export type Shown = "import" | "export" | "preview";

/** The dialog that shows over the editor. */
export function EditorDialog({ shown, workflow, onClose }: { shown: Shown; workflow: Workflow; onClose: () => void }) {
  if (shown === "import") return <ImportDialog onImport={openNew} onCancel={onClose} />;
  if (shown === "export") return <ExportDialog workflow={workflow} onClose={onClose} />;
  return <PreviewDialog workflow={workflow} onClose={onClose} />;
}
