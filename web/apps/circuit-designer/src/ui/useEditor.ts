import { useSyncExternalStore } from "react";
import type { Editor } from "../editor/editor";

/** A value of the editor that a component shows. It must be plain or keep its identity while it does not change. */
export function useEditor<T>(editor: Editor, pick: (editor: Editor) => T): T {
  return useSyncExternalStore(editor.subscribe, () => pick(editor));
}
