import { isIn, layoutOf } from "../draw/layout";
import { toGrid } from "../draw/view";
import { type Point, samePoint } from "../model/document";
import { moveBy, toggleLevel } from "../model/edits";
import { rounded, snapped } from "../model/joints";
import { type Editor, within } from "./editor";
import { canvasMenu, scopeMenu, targetMenu } from "./menus";
import type { Gesture } from "./state";
import { idOf, type Target } from "./target";

/** The facts of a pointer event that matter, with the place in pixels of the canvas. */
export interface Press {
  pixel: Point;
  button: "left" | "middle" | "right";
  shift: boolean;
}

/** How far the pointer must move before a press is a drag, in pixels. */
const DRAG = 3;
/** How far wire ends jump to pins and wire ends, in pixels; never so far that a neighbouring grid point is lost. */
const SNAP = 12;

/** The button goes down on the canvas. */
export function press(editor: Editor, { pixel, button, shift }: Press): void {
  editor.point(pixel);
  const { ghost, mode, gesture } = editor.state();
  if (button === "middle") {
    return editor.update({ gesture: { type: "pan", last: pixel } });
  }
  if (button === "right" || isOnDock(editor, pixel)) {
    return;
  }
  if (ghost !== null) {
    return editor.putDown(shift ? "keep" : "empty");
  }
  if (gesture?.type === "wire" && gesture.waits) {
    return finishWire(editor, { ...gesture, to: snap(editor, pixel), waits: false });
  }
  if (mode === "wire") {
    const at = snap(editor, pixel);
    return editor.update({
      gesture: { type: "wire", from: at, to: at, elbow: shift, waits: false },
      selection: new Set(),
    });
  }
  editor.update({ gesture: { type: "press", target: editor.targetAt(pixel), pixel, adds: shift } });
}

/** The pointer moves over the canvas, with or without a button down. */
export function move(editor: Editor, pixel: Point, shift: boolean): void {
  editor.point(pixel);
  const { gesture } = editor.state();
  const next = gesture === null ? null : moved(editor, gesture, pixel, shift);
  if (next !== gesture) {
    editor.update({ gesture: next });
  }
}

/** The button goes up. A pointer that jumps here from where it was pressed has been dragged as well. */
export function release(editor: Editor, pixel: Point, shift: boolean): void {
  move(editor, pixel, shift);
  const { gesture } = editor.state();
  switch (gesture?.type) {
    case "press":
      return click(editor, gesture);
    case "wire":
      return finishWire(editor, { ...gesture, to: snap(editor, pixel) });
    case "move":
      editor.update({ gesture: null });
      editor.change("Move", (draft) => moveBy(draft, gesture.ids, gesture.delta));
      return editor.point(pixel);
    case "marquee":
      return finishMarquee(editor, gesture);
    case "pan":
      return editor.update({ gesture: null });
  }
}

/** The right button on the canvas: the menu of what lies there. */
export function rightClick(editor: Editor, pixel: Point, window: Point): void {
  const { ghost, gesture } = editor.state();
  if (ghost !== null || gesture?.type === "wire") {
    return editor.escape();
  }
  const scope = layoutOf(editor.document, editor.state().size).scopes.find(({ frame }) => isIn(frame, pixel));
  if (scope !== undefined) {
    return openScopeMenu(editor, scope.id, window);
  }
  if (isOnDock(editor, pixel)) {
    return;
  }
  editor.point(pixel);
  const target = editor.targetAt(pixel);
  const place = { x: window[0], y: window[1] };
  const menu =
    target === null
      ? { ...place, items: canvasMenu(editor) }
      : { ...place, items: targetMenu(editor, target), about: idOf(target) };
  editor.update({ menu, gesture: null });
}

/** A double click on the canvas: the properties of the part that lies there. */
export function doubleClick(editor: Editor, pixel: Point): void {
  const target = editor.targetAt(pixel);
  if (target !== null && "part" in target) {
    editor.openDialog({ type: "properties", part: target.part });
  }
}

/** A press on a scope's buttons; the place is in the window for the menu that may open. */
export function pressDock(editor: Editor, pixel: Point, window: Point): void {
  for (const { id, menu, shorter, longer } of layoutOf(editor.document, editor.state().size).scopes) {
    if (isIn(menu, pixel)) {
      openScopeMenu(editor, id, [window[0] - pixel[0] + menu[0], window[1] - pixel[1] + menu[1]]);
    } else if (isIn(shorter, pixel)) {
      editor.stretch(id, -1);
    } else if (isIn(longer, pixel)) {
      editor.stretch(id, 1);
    }
  }
}

/** The menu of a scope opens upward, so that it leaves the scope in sight; it stays open for several choices. */
function openScopeMenu(editor: Editor, id: string, [x, y]: Point): void {
  const show = () => editor.update({ menu: { x, y, side: "above", items: scopeMenu(editor, id, show) } });
  show();
}

/** The place a wire end goes to when it is dropped at a pixel. */
export function snap(editor: Editor, pixel: Point): Point {
  const { view } = editor.state();
  return snapped(editor.document, toGrid(view, pixel), Math.min(SNAP, view.unit * 0.75) / view.unit);
}

function isOnDock(editor: Editor, pixel: Point): boolean {
  return pixel[1] >= layoutOf(editor.document, editor.state().size).drawing[3];
}

function moved(editor: Editor, gesture: Gesture, pixel: Point, shift: boolean): Gesture {
  switch (gesture.type) {
    case "press":
      return isFar(gesture.pixel, pixel) ? begin(editor, gesture, pixel, shift) : gesture;
    case "wire":
      return { ...gesture, to: snap(editor, pixel), elbow: shift };
    case "move": {
      const delta = rounded(toGrid({ ...editor.state().view, origin: gesture.start }, pixel));
      return samePoint(delta, gesture.delta) ? gesture : { ...gesture, delta };
    }
    case "marquee":
      return { ...gesture, to: pixel };
    case "pan":
      editor.pan([pixel[0] - gesture.last[0], pixel[1] - gesture.last[1]]);
      return { ...gesture, last: pixel };
  }
}

/** A press becomes a drag: what it does depends on what it began on. */
function begin(
  editor: Editor,
  { target, pixel, adds }: Extract<Gesture, { type: "press" }>,
  now: Point,
  shift: boolean,
): Gesture {
  const { selection } = editor.state();
  if (target === null) {
    return { type: "marquee", from: pixel, to: now, adds };
  }
  if (target.type === "pin" || target.type === "end" || (target.type === "wire" && !selection.has(target.wire))) {
    const from = target.type === "wire" ? snap(editor, pixel) : target.at;
    return { type: "wire", from, to: snap(editor, now), elbow: shift, waits: false };
  }
  const ids = selection.has(idOf(target)) ? selection : new Set([idOf(target)]);
  editor.update({ selection: ids });
  return { type: "move", ids, start: pixel, delta: [0, 0] };
}

function click(editor: Editor, { target, adds }: Extract<Gesture, { type: "press" }>): void {
  editor.update({ gesture: null, selection: clicked(editor.state().selection, target, adds) });
  const isInput = editor.document.parts.some(
    ({ id, kind }) => kind === "logicInput" && target?.type === "part" && id === target.part,
  );
  if (isInput && target !== null && !adds) {
    editor.change("Switch input", (draft) => toggleLevel(draft, idOf(target)));
  }
}

function clicked(selection: ReadonlySet<string>, target: Target | null, adds: boolean): ReadonlySet<string> {
  if (target === null) {
    return adds ? selection : new Set();
  }
  const id = idOf(target);
  if (!adds) {
    return new Set([id]);
  }
  return new Set(selection.has(id) ? [...selection].filter((each) => each !== id) : [...selection, id]);
}

function finishWire(editor: Editor, wire: Extract<Gesture, { type: "wire" }>): void {
  if (samePoint(wire.from, wire.to)) {
    // In Wire mode a click begins a wire that the next click ends.
    const waits = editor.state().mode === "wire" && !wire.waits;
    return editor.update({ gesture: waits ? { ...wire, waits } : null });
  }
  editor.update({ gesture: null });
  editor.draw(wire.from, wire.to, wire.elbow ? "elbow" : "straight");
}

function finishMarquee(editor: Editor, { from, to, adds }: Extract<Gesture, { type: "marquee" }>): void {
  const { view, selection } = editor.state();
  const found = within(editor.document, toGrid(view, from), toGrid(view, to));
  editor.update({ gesture: null, selection: new Set([...(adds ? selection : []), ...found]) });
}

function isFar(a: Point, b: Point): boolean {
  return Math.hypot(a[0] - b[0], a[1] - b[1]) >= DRAG;
}
