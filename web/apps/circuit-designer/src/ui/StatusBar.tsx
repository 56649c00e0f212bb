import { TriangleAlert } from "lucide-react";
import type { Editor } from "../editor/editor";
import { hintOf } from "../editor/hints";
import { problemText } from "../editor/problems";
import { useEditor } from "./useEditor";

/** The line at the bottom: what the pointer would do, what is wrong with the circuit, and how much is drawn. */
export function StatusBar({ editor }: { editor: Editor }) {
  const hint = useEditor(editor, hintOf);
  const problem = useEditor(editor, problemText);
  const counts = useEditor(editor, countText);
  return (
    <footer className="status-bar">
      <span className="status-hint">{hint}</span>
      {problem !== null && (
        <span className="status-problem" role="status">
          <TriangleAlert size={14} aria-hidden="true" />
          {problem}
        </span>
      )}
      <span className="status-counts">{counts}</span>
    </footer>
  );
}

function countText(editor: Editor): string {
  const { parts, wires } = editor.document;
  return `${parts.length} ${parts.length === 1 ? "part" : "parts"}, ${wires.length} ${wires.length === 1 ? "wire" : "wires"}`;
}
