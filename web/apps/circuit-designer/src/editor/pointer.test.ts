import { expect, test } from "vitest";
import { type CircuitDocument, type Point, blank } from "../model/document";
import { Editor } from "./editor";
import { doubleClick, move, press, release, rightClick } from "./pointer";

/** An editor with a canvas of 800 by 600 pixels, the grid's origin at its corner and 16 pixels per unit. */
function opened(change: (editor: Editor) => void = () => {}): Editor {
  const editor = new Editor(blank());
  editor.update({ size: [800, 600] });
  change(editor);
  return editor;
}

function pixel([x, y]: Point): Point {
  return [x * 16, y * 16];
}

function place(editor: Editor, kind: string, at: Point): void {
  editor.pickUp(kind);
  move(editor, pixel(at), false);
  press(editor, { pixel: pixel(at), button: "left", shift: false });
  release(editor, pixel(at), false);
}

function drag(editor: Editor, from: Point, to: Point, shift = false): void {
  press(editor, { pixel: pixel(from), button: "left", shift: false });
  move(editor, pixel([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]), shift);
  move(editor, pixel(to), shift);
  release(editor, pixel(to), shift);
}

function click(editor: Editor, at: Point, shift = false): void {
  press(editor, { pixel: pixel(at), button: "left", shift });
  release(editor, pixel(at), false);
}

function wires(doc: CircuitDocument): string[] {
  return doc.wires.map(({ from, to }) => `${from} to ${to}`);
}

const twoResistors = (editor: Editor) => {
  place(editor, "resistor", [4, 4]);
  place(editor, "resistor", [12, 4]);
};

test("a component hangs at the pointer and a click places it", () => {
  const editor = opened();
  editor.pickUp("resistor");
  move(editor, [100, 70], false);
  editor.rotate();
  click(editor, [6.4, 4.2]);
  expect(editor.document.parts[0]).toMatchObject({ id: "p1", kind: "resistor", at: [6, 4], turn: 1 });
  expect(editor.state()).toMatchObject({ ghost: null, selection: new Set(["p1"]) });
});

test("with Shift another one stays in hand", () => {
  const editor = opened();
  editor.pickUp("ground");
  click(editor, [4, 4], true);
  click(editor, [8, 4]);
  expect(editor.document.parts.map(({ at }) => at)).toEqual([
    [4, 4],
    [8, 4],
  ]);
});

test("a drag from pin to pin draws a wire, and ends snap", () => {
  const editor = opened(twoResistors);
  drag(editor, [8.3, 4.2], [11.6, 4.4]);
  expect(wires(editor.document)).toEqual(["8,4 to 12,4"]);
});

test("a drag without moves in between draws a wire as well", () => {
  const editor = opened(twoResistors);
  press(editor, { pixel: pixel([8, 4]), button: "left", shift: false });
  release(editor, pixel([12, 4]), false);
  expect(wires(editor.document)).toEqual(["8,4 to 12,4"]);
});

test("with Shift the wire has a corner", () => {
  const editor = opened(twoResistors);
  drag(editor, [8, 4], [14, 10], true);
  expect(wires(editor.document)).toEqual(["8,4 to 14,4", "14,4 to 14,10"]);
});

test("a drag from the middle of a wire branches off", () => {
  const editor = opened(twoResistors);
  drag(editor, [8, 4], [12, 4]);
  drag(editor, [10, 4.1], [10, 9]);
  expect(wires(editor.document)).toEqual(["8,4 to 10,4", "10,4 to 12,4", "10,4 to 10,9"]);
});

test("a selected wire is moved", () => {
  const editor = opened(twoResistors);
  drag(editor, [20, 10], [24, 10]);
  expect(wires(editor.document)).toEqual([]);
  editor.update({ mode: "wire" });
  drag(editor, [20, 10], [26, 10]);
  editor.update({ mode: "select" });
  click(editor, [23, 10]);
  drag(editor, [23, 10], [23, 12]);
  expect(wires(editor.document)).toEqual(["20,12 to 26,12"]);
});

test("a drag of a body moves the part in one step of the history", () => {
  const editor = opened(twoResistors);
  drag(editor, [8, 4], [12, 4]);
  drag(editor, [6, 4.5], [6, 8.5]);
  expect(editor.document.parts[0]?.at).toEqual([4, 8]);
  expect(wires(editor.document)).toEqual(["8,8 to 12,4"]);
  editor.store.undo();
  expect(editor.document.parts[0]?.at).toEqual([4, 4]);
});

test("in Wire mode two clicks draw a wire and a click on the spot none", () => {
  const editor = opened((each) => each.update({ mode: "wire" }));
  click(editor, [3, 3]);
  click(editor, [7, 3]);
  click(editor, [9, 9]);
  click(editor, [9, 9]);
  expect(wires(editor.document)).toEqual(["3,3 to 7,3"]);
});

test("a click on a logic input switches it, a click on its pin does not", () => {
  const editor = opened((each) => place(each, "logicInput", [10, 10]));
  click(editor, [8.5, 10]);
  expect(editor.document.parts[0]?.settings["level"]).toBe("high");
  click(editor, [10, 10]);
  expect(editor.document.parts[0]?.settings["level"]).toBe("high");
});

test("a rectangle selects what it holds whole", () => {
  const editor = opened(twoResistors);
  drag(editor, [2, 1], [13, 8]);
  expect([...editor.state().selection]).toEqual(["p1"]);
  editor.remove();
  expect(editor.document.parts.map(({ id }) => id)).toEqual(["p2"]);
});

test("a right click offers what fits the place", () => {
  const labels = (at: Point) => {
    const editor = opened(twoResistors);
    drag(editor, [8, 4], [12, 4]);
    rightClick(editor, pixel(at), [0, 0]);
    return editor.state().menu?.items.map(({ label }) => label);
  };
  expect(labels([30, 20])).toEqual(["Add", "Draw wire", "Paste", "Select all", "Zoom to fit"]);
  expect(labels([6, 4])).toEqual(["View in new scope", "Edit...", "Rotate", "Flip", "Duplicate", "Delete"]);
  expect(labels([10, 4])).toEqual(["View in new scope", "Delete"]);
  expect(labels([4, 4])).toEqual(labels([6, 4]));
});

test("a right click selects nothing", () => {
  const editor = opened(twoResistors);
  editor.update({ selection: new Set(["p2"]) });
  rightClick(editor, pixel([4, 4]), [0, 0]);
  expect(editor.state()).toMatchObject({ selection: new Set(["p2"]), menu: { about: "p1" } });
});

test("a copy hangs at the pointer until a click puts it down", () => {
  const editor = opened(twoResistors);
  editor.duplicate(new Set(["p1"]));
  move(editor, pixel([20, 20]), false);
  expect(editor.document.parts).toHaveLength(2);
  click(editor, [20, 20]);
  expect(editor.document.parts[2]).toMatchObject({ id: "p3", at: [20, 20], settings: { label: "R3" } });
  editor.copy();
  editor.paste();
  editor.escape();
  expect(editor.document.parts).toHaveLength(3);
});

test("the menu of a scope stays open for several measures", () => {
  const editor = opened(twoResistors);
  editor.watch({ part: "p1", pin: "a" });
  rightClick(editor, [100, 500], [100, 500]);
  const pick = (label: string) =>
    editor
      .state()
      .menu?.items.find((item) => item.label === label)
      ?.onPick?.();
  pick("Max");
  pick("Frequency");
  expect(editor.document.scopes[0]?.show).toEqual(["frequency", "max"]);
  expect(editor.state().menu?.items.map(({ keys }) => keys)).toEqual(["shown", "", "", "shown", "", undefined]);
});

test("what a new scope looks at stays in sight", () => {
  const editor = opened((each) => place(each, "resistor", [4, 35]));
  editor.watch({ part: "p1", pin: "a" });
  const { view } = editor.state();
  expect(view.unit).toBe(16);
  expect(view.origin[1] + 36 * 16).toBeLessThan(600 - 186);
  editor.watch({ part: "p1", pin: "b" });
  expect(editor.state().view).toEqual(view);
});

test("a double click opens the properties", () => {
  const editor = opened(twoResistors);
  doubleClick(editor, pixel([6, 4]));
  expect(editor.state().dialog).toEqual({ type: "properties", part: "p1" });
});

test("the time starts again with every edit of the circuit, not of the scopes", () => {
  const editor = opened(twoResistors);
  editor.simulation.time = 1;
  editor.watch({ part: "p1", pin: "a" });
  editor.setSpeed(0.01);
  expect(editor.simulation.time).toBe(1);
  editor.set("p1", { resistance: 2200 });
  expect(editor.simulation.time).toBe(0);
});
