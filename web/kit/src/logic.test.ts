import { describe, expect, it } from "vitest";
import { intersect, probes } from "./geometry";
import { commandOf } from "./keys";
import { createRandom } from "./random";
import { share } from "./share";
import { nextOption } from "./widgets/Dropdown";
import { nextItem } from "./widgets/menu-keys";
import { parseNumber } from "./widgets/NumberField";
import { placePopup } from "./widgets/Popup";

describe("commandOf", () => {
  const stroke = (text: string) => {
    const keys = text.split("+");
    return {
      key: keys.at(-1)!,
      ctrlKey: keys.includes("Ctrl"),
      metaKey: keys.includes("Meta"),
      shiftKey: keys.includes("Shift"),
      altKey: keys.includes("Alt"),
    };
  };
  it.each([
    ["Ctrl+z", "undo"],
    ["Meta+z", "undo"],
    ["Ctrl+Shift+Z", "redo"],
    ["Ctrl+y", "redo"],
    ["Delete", "delete"],
    ["Backspace", "delete"],
    ["Escape", "escape"],
    ["Ctrl+Delete", null],
    ["Alt+Backspace", null],
    ["z", null],
  ])("%s means %s", (text, command) => expect(commandOf(stroke(text))).toBe(command));
});

describe("intersect", () => {
  it("is the part two rectangles share", () => {
    expect(intersect([0, 0, 10, 10], [5, 6, 10, 10])).toEqual([5, 6, 5, 4]);
  });
  it("is nothing when they only touch", () => {
    expect(intersect([0, 0, 10, 10], [10, 0, 5, 5])).toBeNull();
  });
});

it("probes begin in the middle and stay inside", () => {
  const points = probes([10, 20, 100, 40]);
  expect(points[0]).toEqual([60, 40]);
  expect(points.every(([x, y]) => x > 10 && x < 110 && y > 20 && y < 60)).toBe(true);
});

it("random repeats itself for a seed and stays in range", () => {
  const draw = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 200 }, () => random.below(6));
  };
  expect(draw(3)).toEqual(draw(3));
  expect(draw(3)).not.toEqual(draw(4));
  expect([...new Set(draw(3))].sort()).toEqual([0, 1, 2, 3, 4, 5]);
});

describe("share", () => {
  it("gives back the previous value when nothing differs", () => {
    const previous = { a: [1, { b: 2 }] };
    expect(share(previous, structuredClone(previous))).toBe(previous);
  });
  it("notices keys and entries that went away", () => {
    expect(share({ a: 1, b: 2 }, { a: 1 })).toEqual({ a: 1 });
    expect(share([1, 2], [1])).toEqual([1]);
    expect(share({ a: undefined }, { b: undefined })).toEqual({ b: undefined });
  });
});

describe("keys in lists", () => {
  const options = ["apple", "pear", "plum"];
  it.each([
    ["ArrowDown", 0, 1],
    ["ArrowDown", 2, 2],
    ["ArrowUp", 0, 0],
    ["End", 0, 2],
    ["p", 0, 1],
    ["p", 1, 2],
    ["p", 2, 1],
    ["x", 1, 1],
  ])("%s in a dropdown leads from %d to %d", (key, from, to) => expect(nextOption(options, from, key)).toBe(to));

  const items = [{ label: "Cut" }, { label: "Copy", disabled: true }, { label: "Paste" }];
  it.each([
    ["ArrowDown", -1, 0],
    ["ArrowDown", 0, 2],
    ["ArrowDown", 2, 0],
    ["ArrowUp", 0, 2],
    ["ArrowUp", 2, 0],
    ["End", 0, 2],
    ["c", 2, 0],
  ])("%s in a menu leads from %d to %d", (key, from, to) => expect(nextItem(items, from, key)).toBe(to));
});

describe("parseNumber", () => {
  it.each([
    ["10", 10],
    [" -2.5 ", -2.5],
    [".5", 0.5],
    ["1e3", 1000],
    ["", null],
    ["1x", null],
    ["-", null],
    ["Infinity", null],
  ])("%j is %s", (text, number) => expect(parseNumber(text)).toBe(number));
});

describe("placePopup", () => {
  const anchor = { left: 100, top: 50, right: 200, bottom: 80 };
  it("opens below, and above when there is no room", () => {
    expect(placePopup(anchor, "below", [100, 60], [400, 300])).toEqual({ left: 100, top: 80 });
    expect(placePopup(anchor, "above", [100, 40], [400, 300])).toEqual({ left: 100, top: 10 });
    expect(placePopup(anchor, "above", [100, 60], [400, 300])).toEqual({ left: 100, top: 80 });
    expect(placePopup({ ...anchor, top: 250, bottom: 280 }, "below", [100, 60], [400, 300])).toEqual({
      left: 100,
      top: 190,
    });
  });
  it("opens beside, and on the other side when there is no room", () => {
    expect(placePopup(anchor, "beside", [100, 60], [400, 300])).toEqual({ left: 200, top: 50 });
    expect(placePopup({ ...anchor, left: 250, right: 350 }, "beside", [100, 60], [400, 300])).toEqual({
      left: 150,
      top: 50,
    });
  });
});
