import { Dialog, TextField, tell } from "@quintain/kit";
import { useEffect, useState } from "react";
import type { Editor } from "../editor/editor";
import { readDocument, writeDocument } from "../model/read";

/** Takes a drawing as text and replaces the present one. */
export function ImportDialog({ editor }: { editor: Editor }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const close = () => editor.update({ dialog: null });

  function apply(): void {
    const read = readDocument(text);
    if ("problem" in read) {
      setProblem(read.problem);
    } else {
      close();
      editor.open("Import", read.document);
    }
  }

  return (
    <Dialog
      title="Import a drawing"
      ok="Import"
      width={560}
      disabled={text.trim() === ""}
      onOk={apply}
      onCancel={close}
    >
      <TextField
        label="Paste the text of an exported drawing. It replaces what is on the canvas."
        value={text}
        lines={14}
        mono
        focused
        geo="dialog/text"
        onType={(typed) => {
          setText(typed);
          setProblem(null);
        }}
      />
      {problem !== null && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}

/** Shows the drawing as text and hands it to the driver as a file. */
export function ExportDialog({ editor }: { editor: Editor }) {
  const text = writeDocument(editor.document);
  const close = () => editor.update({ dialog: null });
  useEffect(() => tell({ type: "file", name: "circuit.json", text }), [text]);
  return (
    <Dialog title="Export the drawing" cancel="Close" width={680} onCancel={close}>
      <TextField label="circuit.json" value={text} lines={16} mono geo="dialog/text" onType={() => null} />
    </Dialog>
  );
}
