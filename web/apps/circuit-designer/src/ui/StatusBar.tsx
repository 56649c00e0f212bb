import { TriangleAlert } from "lucide-react";
import type { Editor } from "../editor/editor";
import { hasTime } from "../editor/simulation";
import { kindOf } from "../model/catalogue";
import { formatValue } from "../model/values";
import { useEditor } from "./useEditor";

/** The line at the bottom: what the pointer would do, what is wrong with the circuit, and the simulated time. */
export function StatusBar({ editor }: { editor: Editor }) {
  const hint = useEditor(editor, hintOf);
  const problem = useEditor(editor, problemOf);
  const time = useEditor(editor, timeText);
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
      <span className="status-time">{time}</span>
    </footer>
  );
}

function hintOf(editor: Editor): string {
  const { ghost, gesture, mode, hover } = editor.state();
  if (ghost !== null)
    return `Click to place ${kindOf(ghost).name}. R rotates, F flips, Shift keeps placing, Esc cancels.`;
  if (gesture?.type === "wire") return "Release on a pin, a wire or a grid point. Shift draws an L.";
  if (gesture?.type === "move") return "Release to put down. Wires on the pins stretch along.";
  if (mode === "wire") return "Drag, or click twice, to draw a wire. Esc goes back to Select.";
  if (hover?.type === "pin" || hover?.type === "end") return "Drag to draw a wire. Right-click for a scope.";
  if (hover?.type === "wire") return "Drag to branch off a wire. Click to select it. Right-click for a scope.";
  if (hover?.type === "part") return "Drag to move. Double-click or right-click to edit.";
  return "Right-click to add components. Drag from a pin to draw a wire.";
}

function problemOf(editor: Editor): string | null {
  const { simulation, document } = editor;
  if (document.parts.length === 0) return null;
  if (simulation.engine === "silent") return "no simulation engine";
  return simulation.answer?.problem ?? null;
}

function timeText(editor: Editor): string {
  if (!hasTime(editor.document)) return editor.document.parts.length === 0 ? "" : "steady";
  const isRunning = editor.state().running;
  return `${isRunning ? "t" : "paused at t"} = ${formatValue(editor.simulation.time, "s")}`;
}

function countText(editor: Editor): string {
  const { parts, wires } = editor.document;
  return `${parts.length} ${parts.length === 1 ? "part" : "parts"}, ${wires.length} ${wires.length === 1 ? "wire" : "wires"}`;
}
