import { isIn, layoutOf } from "../draw/layout";
import { kindOf } from "../model/catalogue";
import type { Hanging } from "../model/hanging";
import type { Editor } from "./editor";

/** What the pointer would do where it is, as sentences. */
export function hintOf(editor: Editor): string {
  const { ghost, gesture, mode, hover } = editor.state();
  if (ghost !== null)
    return `Click to place ${ghostWord(ghost)}. R rotates, F flips, Shift keeps placing, Esc cancels.`;
  if (gesture?.type === "wire") return "Release on a pin, a wire or a grid point. Shift draws an L.";
  if (gesture?.type === "move") return "Release to put down. Wires on the pins stretch along.";
  const onDock = dockHint(editor);
  if (onDock !== null) return onDock;
  if (mode === "wire") return "Drag, or click twice, to draw a wire. Esc goes back to Select.";
  if (hover?.type === "pin" || hover?.type === "end") return "Drag to draw a wire. Right-click for a scope.";
  if (hover?.type === "wire") return "Drag to branch off a wire. Click to select it. Right-click for a scope.";
  if (hover?.type === "part") return "Drag to move. Double-click or right-click to edit.";
  return "Right-click to add components. Drag from a pin to draw a wire.";
}

function ghostWord({ parts, wires }: Hanging): string {
  const [only] = parts;
  return parts.length === 1 && wires.length === 0 && only !== undefined ? kindOf(only).name : "the copy";
}

/** What the buttons of a scope do. */
function dockHint(editor: Editor): string | null {
  const { pointer, size } = editor.state();
  if (pointer === null) {
    return null;
  }
  const scope = layoutOf(editor.document, size).scopes.find(({ frame }) => isIn(frame, pointer));
  if (scope === undefined) return null;
  if (isIn(scope.shorter, pointer)) return "Shorter: show less time.";
  if (isIn(scope.longer, pointer)) return "Longer: show more time.";
  if (isIn(scope.menu, pointer)) return "The measures of this scope: frequency, duty cycle, peak-to-peak, max, min.";
  return "Minus and plus change the time that is shown, the dots open the measures.";
}
