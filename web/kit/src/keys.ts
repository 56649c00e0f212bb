/** What the usual key strokes of an app mean. */
export type Command = "undo" | "redo" | "delete" | "escape";

/** The parts of a keyboard event that decide what it means. */
export interface KeyStroke {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/** The command of a key stroke, or null. */
export function commandOf(stroke: KeyStroke): Command | null {
  const key = stroke.key.toLowerCase();
  const control = stroke.ctrlKey || stroke.metaKey;
  if (stroke.altKey) return null;
  if (control && key === "z") return stroke.shiftKey ? "redo" : "undo";
  if (control && key === "y") return "redo";
  if (control) return null;
  if (key === "delete" || key === "backspace") return "delete";
  return key === "escape" ? "escape" : null;
}

/** Whether keys pressed on this element belong to the text in it. */
export function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  if (!element?.tagName) return false;
  return element.isContentEditable || element.tagName === "TEXTAREA" || element.tagName === "INPUT";
}

/**
 * Listens for the usual commands on the whole page. Fields keep their own keys, and while a dialog or a menu is open
 * nothing reaches the app. Returns the function that stops listening.
 */
export function listenForCommands(handlers: Partial<Record<Command, () => void>>): () => void {
  function onKeyDown(event: KeyboardEvent): void {
    const command = commandOf(event);
    if (!command || event.defaultPrevented || isTyping(event.target) || isModalOpen()) return;
    const handler = handlers[command];
    if (!handler) return;
    event.preventDefault();
    handler();
  }
  addEventListener("keydown", onKeyDown);
  return () => removeEventListener("keydown", onKeyDown);
}

function isModalOpen(): boolean {
  return document.querySelector("[data-modal]") !== null;
}
