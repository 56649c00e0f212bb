import { isTyping, listenForCommands } from "@quintain/kit";
import type { Editor } from "./editor";

/** Listens for the editor's keys on the whole page. Returns the function that stops listening. */
export function listenForKeys(editor: Editor): () => void {
  const stop = listenForCommands({
    undo: () => editor.store.undo(),
    redo: () => editor.store.redo(),
    delete: () => editor.remove(),
    escape: () => editor.escape(),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const act = actionOf(editor, event);
    const isBusy = isTyping(event.target) || document.querySelector("[data-modal]") !== null;
    if (act !== null && !isBusy && !event.defaultPrevented) {
      event.preventDefault();
      act();
    }
  };
  addEventListener("keydown", onKeyDown);
  return () => {
    stop();
    removeEventListener("keydown", onKeyDown);
  };
}

function actionOf(editor: Editor, event: KeyboardEvent): (() => void) | null {
  const key = event.key.toLowerCase();
  if (event.altKey) {
    return null;
  }
  const table = event.ctrlKey || event.metaKey ? controlKeys(editor) : plainKeys(editor);
  return table[key] ?? null;
}

function controlKeys(editor: Editor): Record<string, () => void> {
  return {
    a: () => editor.selectAll(),
    c: () => editor.copy(),
    x: () => {
      editor.copy();
      editor.remove();
    },
    v: () => editor.paste(),
    d: () => editor.duplicate(),
  };
}

function plainKeys(editor: Editor): Record<string, () => void> {
  const nudge = (x: number, y: number) => () => editor.nudge([x, y]);
  return {
    r: () => editor.rotate(),
    f: () => editor.flip(),
    w: () => editor.update({ mode: "wire", ghost: null }),
    s: () => editor.update({ mode: "select", gesture: null }),
    "+": () => editor.zoom(1),
    "-": () => editor.zoom(-1),
    arrowleft: nudge(-1, 0),
    arrowright: nudge(1, 0),
    arrowup: nudge(0, -1),
    arrowdown: nudge(0, 1),
  };
}
