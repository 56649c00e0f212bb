import type { MenuItem } from "@quintain/kit";
import { MENUS, kindOf, pinsOf } from "../model/catalogue";
import { type CircuitDocument, MEASURES, MOST_SCOPES, type Measure, type Probe, blank } from "../model/document";
import type { Editor } from "./editor";
import { pinWord } from "./readings";
import { type Target, idOf } from "./target";

/** The words for the measures of a scope. */
export const MEASURE_WORDS: Readonly<Record<Measure, string>> = {
  frequency: "Frequency",
  duty: "Duty cycle",
  peak_to_peak: "Peak-to-peak",
  max: "Max",
  min: "Min",
};

/** The menus of components, as the catalogue has them. */
export function componentMenus(pick: (kind: string) => void): MenuItem[] {
  return MENUS.map(({ name, kinds }) => ({
    label: name,
    items: kinds.map((kind) => ({ label: kindOf({ kind }).name, onPick: () => pick(kind) })),
  }));
}

/** The Draw menu: wires and all components. */
export function drawMenu(editor: Editor): MenuItem[] {
  const wire: MenuItem = { label: "Wire", keys: "W", onPick: () => editor.update({ mode: "wire", ghost: null }) };
  const [first, ...others] = componentMenus((kind) => editor.pickUp(kind));
  return [wire, ...(first === undefined ? [] : [{ ...first, divided: true }]), ...others];
}

/** The menu of the empty canvas. */
export function canvasMenu(editor: Editor): MenuItem[] {
  return [
    { label: "Add", items: componentMenus((kind) => editor.pickUp(kind)) },
    { label: "Draw wire", keys: "W", onPick: () => editor.update({ mode: "wire" }) },
    { label: "Paste", keys: "Ctrl+V", divided: true, disabled: !editor.canPaste, onPick: () => editor.paste() },
    { label: "Select all", keys: "Ctrl+A", onPick: () => editor.selectAll() },
    { label: "Zoom to fit", divided: true, onPick: () => editor.fit() },
  ];
}

/** The menu of a part, a pin or a wire. */
export function targetMenu(editor: Editor, target: Target): MenuItem[] {
  const { selection } = editor.state();
  const ids = selection.has(idOf(target)) ? selection : new Set([idOf(target)]);
  const remove: MenuItem = { label: "Delete", keys: "Del", divided: true, onPick: () => editor.remove(ids) };
  if (target.type === "wire" || target.type === "end") {
    return [watchItem(editor, { wire: target.wire }), remove];
  }
  const { part } = target;
  return [
    target.type === "pin" ? watchItem(editor, { part, pin: target.pin }) : watchPart(editor, part),
    { ...editItem(editor, part), divided: true },
    { label: "Rotate", keys: "R", onPick: () => editor.rotate(ids) },
    { label: "Flip", keys: "F", onPick: () => editor.flip(ids) },
    { label: "Duplicate", keys: "Ctrl+D", onPick: () => editor.duplicate(ids) },
    remove,
  ];
}

/** The menu of a scope. With `again`, which shows it anew, it stays open while measures are chosen. */
export function scopeMenu(editor: Editor, id: string, again?: () => void): MenuItem[] {
  const scope = editor.document.scopes.find((scope) => scope.id === id);
  const measures = MEASURES.map((measure): MenuItem => ({
    label: MEASURE_WORDS[measure],
    keys: scope?.show.includes(measure) === true ? "shown" : "",
    stays: again !== undefined,
    onPick: () => {
      editor.toggleMeasure(id, measure);
      again?.();
    },
  }));
  return [...measures, { label: "Remove", divided: true, onPick: () => editor.removeScope(id) }];
}

/** The File menu. */
export function fileMenu(editor: Editor): MenuItem[] {
  return [
    { label: "New", onPick: () => editor.open("New", blank()) },
    { label: "Import...", divided: true, onPick: () => editor.openDialog({ type: "import" }) },
    { label: "Export...", onPick: () => editor.openDialog({ type: "export" }) },
  ];
}

/** The Edit menu. */
export function editMenu(editor: Editor): MenuItem[] {
  const isEmpty = editor.state().selection.size === 0;
  return [
    { label: "Undo", keys: "Ctrl+Z", disabled: !editor.store.canUndo(), onPick: () => editor.store.undo() },
    { label: "Redo", keys: "Ctrl+Y", disabled: !editor.store.canRedo(), onPick: () => editor.store.redo() },
    { label: "Copy", keys: "Ctrl+C", divided: true, disabled: isEmpty, onPick: () => editor.copy() },
    { label: "Paste", keys: "Ctrl+V", disabled: !editor.canPaste, onPick: () => editor.paste() },
    { label: "Duplicate", keys: "Ctrl+D", disabled: isEmpty, onPick: () => editor.duplicate() },
    { label: "Rotate", keys: "R", divided: true, disabled: isEmpty, onPick: () => editor.rotate() },
    { label: "Flip", keys: "F", disabled: isEmpty, onPick: () => editor.flip() },
    { label: "Delete", keys: "Del", disabled: isEmpty, onPick: () => editor.remove() },
    { label: "Select all", keys: "Ctrl+A", divided: true, onPick: () => editor.selectAll() },
  ];
}

/** The Scopes menu: each open scope with its own menu. */
export function scopesMenu(editor: Editor): MenuItem[] {
  const { scopes } = editor.document;
  if (scopes.length === 0) {
    return [{ label: "Right-click a pin or wire to open a scope", disabled: true }];
  }
  const each = scopes.map(({ id }, index): MenuItem => ({ label: `Scope ${index + 1}`, items: scopeMenu(editor, id) }));
  const removeAll = () => editor.change("Remove scopes", (draft: CircuitDocument) => void (draft.scopes = []));
  return [...each, { label: "Remove all", divided: true, onPick: removeAll }];
}

function editItem(editor: Editor, part: string): MenuItem {
  return { label: "Edit...", onPick: () => editor.openDialog({ type: "properties", part }) };
}

function watchItem(editor: Editor, probe: Probe): MenuItem {
  const isFull = editor.document.scopes.length >= MOST_SCOPES;
  return { label: "View in new scope", disabled: isFull, onPick: () => editor.watch(probe) };
}

/** A part with several pins asks which of them is meant. */
function watchPart(editor: Editor, id: string): MenuItem {
  const part = editor.document.parts.find((part) => part.id === id);
  const pins = part === undefined ? [] : pinsOf(part);
  const [first] = pins;
  if (pins.length === 1 && first !== undefined) {
    return watchItem(editor, { part: id, pin: first.name });
  }
  const { onPick: _, ...item } = watchItem(editor, { part: id, pin: "" });
  return {
    ...item,
    items: pins.map(({ name }) => ({ label: pinWord(name), onPick: () => editor.watch({ part: id, pin: name }) })),
  };
}
