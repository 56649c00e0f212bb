import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDocumentStore } from "./document";

interface Sketch {
  title: string;
  shapes: { id: string; size: number }[];
}

let told: Sketch[] = [];

beforeEach(() => {
  told = [];
  vi.stubGlobal("quintainTell", (text: string) => told.push(JSON.parse(text).document));
});

afterEach(() => vi.unstubAllGlobals());

function sketch() {
  return createDocumentStore<Sketch>({
    title: "one",
    shapes: [
      { id: "a", size: 1 },
      { id: "b", size: 2 },
    ],
  });
}

describe("a document store", () => {
  it("tells the first document and every committed change, undo and redo among them", () => {
    const store = sketch();
    store.change("Rename", (draft) => void (draft.title = "two"));
    store.undo();
    store.redo();
    expect(told.map(({ title }) => title)).toEqual(["one", "two", "one", "two"]);
  });

  it("leaves no trace of a change that changes nothing", () => {
    const store = sketch();
    store.change("Rename", (draft) => void (draft.title = "one"));
    expect([told.length, store.canUndo()]).toEqual([1, false]);
  });

  it("undoes a run of merged changes as one step", () => {
    const store = sketch();
    for (const title of ["t", "tw", "two"]) {
      store.change("Rename", (draft) => void (draft.title = title), { merge: "title" });
    }
    store.undo();
    expect([store.get().title, store.canUndo()]).toEqual(["one", false]);
  });

  it("begins a new step after seal, another name or an undo", () => {
    const store = sketch();
    const rename = (title: string, merge: string) =>
      store.change("Rename", (draft) => void (draft.title = title), { merge });
    rename("a", "title");
    store.seal();
    rename("b", "title");
    rename("c", "other");
    store.undo();
    rename("d", "other");
    const titles = [store.get().title];
    while (store.canUndo()) {
      store.undo();
      titles.push(store.get().title);
    }
    expect(titles).toEqual(["d", "b", "a", "one"]);
  });

  it("forgets the history when told to, and what could be redone after a change", () => {
    const store = sketch();
    store.change("Rename", (draft) => void (draft.title = "two"));
    store.undo();
    store.change("Open", (draft) => void (draft.title = "three"), { forget: true });
    expect([store.canUndo(), store.canRedo()]).toEqual([false, false]);
  });

  it("keeps the identity of what did not change and never changes a document in place", () => {
    const store = sketch();
    const before = store.get();
    store.change("Grow", (draft) => void (draft.shapes[1]!.size = 3));
    expect(before.shapes[1]!.size).toBe(2);
    expect(store.get().shapes[0]).toBe(before.shapes[0]);
    expect(store.get().shapes[1]).not.toBe(before.shapes[1]);
  });

  it("calls its listeners until they leave", () => {
    const store = sketch();
    const listener = vi.fn();
    const leave = store.subscribe(listener);
    store.change("Rename", (draft) => void (draft.title = "two"));
    leave();
    store.undo();
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
