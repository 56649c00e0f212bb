import { Button, TextField, useHistory } from "@quintain/kit";
import { ArrowLeft, Download, Play, Redo2, Undo2, Upload } from "lucide-react";
import type { Workflow } from "../model/document";
import { store } from "../store";
import type { Shown } from "./dialogs/EditorDialog";

/** The bar above the canvas. */
export function TopBar({ workflow, onShow }: { workflow: Workflow; onShow: (shown: Shown) => void }) {
  const { canUndo, canRedo } = useHistory(store);
  return (
    <header className="top">
      <Button look="ghost" geo="top/hub" label="Back to the workflow hub" onPress={backToHub}>
        <ArrowLeft size={16} aria-hidden="true" />
        Hub
      </Button>
      <span className="top-rule" />
      <div className="top-name">
        <TextField
          bare
          label="Workflow name"
          geo="top/name"
          value={workflow.name}
          onType={(name) => rename(workflow.id, name)}
          onDone={store.seal}
        />
      </div>
      <div className="top-space" />
      <Button look="ghost" geo="top/undo" label="Undo" disabled={!canUndo} onPress={store.undo}>
        <Undo2 size={16} aria-hidden="true" />
      </Button>
      <Button look="ghost" geo="top/redo" label="Redo" disabled={!canRedo} onPress={store.redo}>
        <Redo2 size={16} aria-hidden="true" />
      </Button>
      <span className="top-rule" />
      <Button geo="top/import" onPress={() => onShow("import")}>
        <Upload size={15} aria-hidden="true" />
        Import
      </Button>
      <Button geo="top/export" onPress={() => onShow("export")}>
        <Download size={15} aria-hidden="true" />
        Export
      </Button>
      <Button look="primary" geo="top/run" onPress={() => onShow("preview")}>
        <Play size={15} aria-hidden="true" />
        Run preview
      </Button>
    </header>
  );
}

function rename(id: string, name: string): string | null {
  if (name.trim() === "") return "A workflow needs a name.";
  const recipe = (workflows: Workflow[]) => workflows.find((workflow) => workflow.id === id)!;
  store.change("Rename workflow", (draft) => void (recipe(draft.workflows).name = name), { merge: `${id}/name` });
  return null;
}

function backToHub(): void {
  store.change(
    "Close workflow",
    (draft) => {
      draft.open = null;
    },
    { forget: true },
  );
}
