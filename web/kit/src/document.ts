import { useSyncExternalStore } from "react";
import { tell } from "./bridge";
import { share } from "./share";

/** How a change enters the history. */
export interface ChangeOptions {
  /** Changes that follow each other under the same name are undone as one, until `seal` is called. */
  merge?: string;
  /** The change is not undoable, and what came before it is no longer either (opening another document, say). */
  forget?: boolean;
}

/** The one document of an app, with its history. Every committed change is told to the driver. */
export interface DocumentStore<D> {
  /** The document as it stands; never changed in place. */
  get(): D;
  /** Commits what `recipe` does to a copy of the document. A recipe that changes nothing leaves no trace. */
  change(label: string, recipe: (draft: D) => void, options?: ChangeOptions): void;
  /** Ends a run of merged changes: the next change is a step of its own. */
  seal(): void;
  undo(): void;
  redo(): void;
  canUndo(): boolean;
  canRedo(): boolean;
  /** Calls `listener` after every change of the document or its history. */
  subscribe(listener: () => void): () => void;
}

interface Step<D> {
  label: string;
  document: D;
}

/** Makes the store and tells the driver the document it starts with. */
export function createDocumentStore<D>(initial: D): DocumentStore<D> {
  const listeners = new Set<() => void>();
  let document = initial;
  let past: Step<D>[] = [];
  let future: Step<D>[] = [];
  let merging: string | undefined;

  function commit(next: D): void {
    document = next;
    tell({ type: "document", document });
    for (const listener of [...listeners]) listener();
  }

  function change(label: string, recipe: (draft: D) => void, options: ChangeOptions = {}): void {
    const draft = structuredClone(document);
    recipe(draft);
    const next = share(document, draft);
    if (next === document) return;
    if (options.forget) past = [];
    else if (options.merge === undefined || options.merge !== merging) past = [...past, { label, document }];
    merging = options.merge;
    future = [];
    commit(next);
  }

  function travel(from: Step<D>[], to: Step<D>[]): void {
    const step = from.pop();
    if (!step) return;
    to.push({ label: step.label, document });
    merging = undefined;
    commit(step.document);
  }

  tell({ type: "document", document });
  return {
    get: () => document,
    change,
    seal: () => (merging = undefined),
    undo: () => travel(past, future),
    redo: () => travel(future, past),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The document of `store`, for a component that renders it. */
export function useDocument<D>(store: DocumentStore<D>): D {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** Whether there is something to undo and to redo, for the buttons that offer it. */
export function useHistory<D>(store: DocumentStore<D>): { canUndo: boolean; canRedo: boolean } {
  return {
    canUndo: useSyncExternalStore(store.subscribe, store.canUndo),
    canRedo: useSyncExternalStore(store.subscribe, store.canRedo),
  };
}
