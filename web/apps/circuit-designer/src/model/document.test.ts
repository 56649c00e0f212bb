import { expect, test } from "vitest";
import { blank, nextId } from "./document";

test("ids count up from the greatest in use", () => {
  expect(nextId("p", [])).toBe("p1");
  expect(nextId("w", [{ id: "w2" }, { id: "w9" }, { id: "w4" }])).toBe("w10");
});

test("a blank drawing is the start document", () => {
  expect(JSON.stringify(blank())).toBe('{"parts":[],"wires":[],"scopes":[],"speed":0.1}');
});
