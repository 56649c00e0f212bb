import { Dialog, TextField } from "@quintain/kit";
import { useState } from "react";
import { readRecipe, type Recipe } from "../../model/transfer";

/** Takes the text of a workflow and says what is wrong with it, if anything is. */
export function ImportDialog({ onImport, onCancel }: { onImport: (recipe: Recipe) => void; onCancel: () => void }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);

  function type(next: string): void {
    setText(next);
    setProblem(null);
  }

  function read(): void {
    const outcome = readRecipe(text);
    if ("problem" in outcome) setProblem(outcome.problem);
    else onImport(outcome.ok);
  }

  return (
    <Dialog
      title="Import JSON"
      ok="Import workflow"
      width={600}
      disabled={text.trim() === ""}
      onOk={read}
      onCancel={onCancel}
    >
      <p className="dialog-lead">Paste an exported workflow. It is added to the hub as a new workflow and opened.</p>
      <div className="code-area">
        <TextField
          label="Workflow JSON"
          geo="dialog/json"
          value={text}
          lines={12}
          mono
          focused
          placeholder={'{ "name": "...", "nodes": [...], "edges": [...] }'}
          onType={type}
        />
      </div>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}
