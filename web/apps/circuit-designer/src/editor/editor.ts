import { type DocumentStore, createDocumentStore } from "@quintain/kit";
import { layoutOf } from "../draw/layout";
import { fitted, nextUnit, panned, toGrid, toPixel, zoomed } from "../draw/view";
import type { CircuitDocument, Measure, Point, Probe, SettingValue } from "../model/document";
import * as edits from "../model/edits";
import { type Hanging, copyOf, flipped, newPart, placedThings, rotated } from "../model/hanging";
import { boxOf, extentOf } from "../model/place";
import { rounded } from "../model/joints";
import { probePlace } from "./answer";
import { type ScopeQuestion, Simulation } from "./simulation";
import { type EditorState, FIRST_STATE, FIRST_WINDOW, type OpenDialog, WINDOWS } from "./state";
import { type Target, idOf, sameTarget, targetAt } from "./target";

/** The room that is kept around a thing when it is moved into sight, in pixels. */
const ROOM = 24;

/** The editor: the document, what is going on around it, and everything a user can do to them. */
export class Editor {
  readonly store: DocumentStore<CircuitDocument>;
  readonly simulation: Simulation;
  private current: EditorState = FIRST_STATE;
  private readonly listeners = new Set<() => void>();
  private clipboard: Pick<CircuitDocument, "parts" | "wires"> | null = null;
  private isDirty = true;
  private lastPixel: Point | null = null;
  private seen: CircuitDocument;

  constructor(initial: CircuitDocument) {
    this.store = createDocumentStore(initial);
    this.seen = initial;
    this.simulation = new Simulation((news) => this.notify(news));
    this.store.subscribe(() => this.documentChanged());
  }

  /** The state as it stands; never changed in place. */
  readonly state = (): EditorState => this.current;

  /** The document as it stands. */
  get document(): CircuitDocument {
    return this.store.get();
  }

  /** The document as it is shown: with the parts under a drag already where they would go. */
  get shown(): CircuitDocument {
    const { gesture } = this.current;
    if (gesture?.type !== "move") {
      return this.document;
    }
    const moved = structuredClone(this.document);
    edits.moveBy(moved, gesture.ids, gesture.delta);
    return moved;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Changes the state around the document. */
  update(change: Partial<EditorState>): void {
    this.current = { ...this.current, ...change };
    this.notify();
  }

  /** Whether the canvas must be drawn anew since this was last asked. */
  takeDirty(): boolean {
    const wasDirty = this.isDirty;
    this.isDirty = false;
    return wasDirty;
  }

  /** Changes the document. */
  change(label: string, recipe: (draft: CircuitDocument) => void): void {
    this.store.change(label, recipe);
  }

  /** Remembers where the pointer is, relative to the canvas, even when it is over a bar or a menu. */
  track(pixel: Point): void {
    this.lastPixel = pixel;
  }

  /** Hangs a component at the pointer, or at the point of the drawing next to it. */
  pickUp(kind: string): void {
    this.hang(newPart(this.document, kind, this.gridNextToPointer()));
  }

  /** Puts down what hangs at the pointer, and keeps another of it in hand if asked. */
  putDown(next: "keep" | "empty"): void {
    const { ghost } = this.current;
    if (ghost === null) {
      return;
    }
    let ids: string[] = [];
    this.change(ghost.origin === "menu" ? "Add part" : "Add copy", (draft) => {
      ids = edits.paste(draft, placedThings(ghost), [0, 0]);
    });
    this.update({ ghost: next === "keep" ? ghost : null, selection: new Set(next === "keep" ? [] : ids) });
  }

  /** Draws a wire, or two at a right angle. */
  draw(from: Point, to: Point, shape: "straight" | "elbow"): void {
    this.change("Draw wire", (draft) => {
      shape === "elbow" ? edits.addElbow(draft, from, to) : edits.addWire(draft, from, to);
    });
  }

  /** Turns what hangs at the pointer, or else the selection. */
  rotate(ids: ReadonlySet<string> = this.current.selection): void {
    const { ghost } = this.current;
    if (ghost !== null) {
      this.update({ ghost: rotated(ghost) });
    } else {
      this.change("Rotate", (draft) => edits.rotate(draft, ids));
    }
  }

  /** Mirrors what hangs at the pointer, or else the selection. */
  flip(ids: ReadonlySet<string> = this.current.selection): void {
    const { ghost } = this.current;
    if (ghost !== null) {
      this.update({ ghost: flipped(ghost) });
    } else {
      this.change("Flip", (draft) => edits.flip(draft, ids));
    }
  }

  remove(ids: ReadonlySet<string> = this.current.selection): void {
    this.change("Delete", (draft) => edits.remove(draft, ids));
    this.update({ selection: new Set() });
  }

  /** Moves the selection by grid units. */
  nudge(by: Point): void {
    this.change("Move", (draft) => edits.moveBy(draft, this.current.selection, by));
  }

  copy(): void {
    const { selection } = this.current;
    const { parts, wires } = this.document;
    const kept = {
      parts: parts.filter(({ id }) => selection.has(id)),
      wires: wires.filter(({ id }) => selection.has(id)),
    };
    this.clipboard = kept.parts.length + kept.wires.length > 0 ? kept : this.clipboard;
    this.notify();
  }

  get canPaste(): boolean {
    return this.clipboard !== null;
  }

  /** Hangs what was copied last at the pointer. */
  paste(): void {
    if (this.clipboard !== null) {
      this.hang(copyOf(this.clipboard, this.gridNextToPointer()));
    }
  }

  /** Hangs a copy of things at the pointer. */
  duplicate(ids: ReadonlySet<string> = this.current.selection): void {
    const parts = this.document.parts.filter(({ id }) => ids.has(id));
    const wires = this.document.wires.filter(({ id }) => ids.has(id));
    if (parts.length + wires.length > 0) {
      this.hang(copyOf({ parts, wires }, this.gridNextToPointer()));
    }
  }

  selectAll(): void {
    const { parts, wires } = this.document;
    this.update({ selection: new Set([...parts, ...wires].map(({ id }) => id)) });
  }

  set(part: string, settings: Readonly<Record<string, SettingValue>>): void {
    this.change("Edit part", (draft) => edits.set(draft, part, settings));
  }

  /** Opens a scope. What it looks at stays in sight: where the dock would cover it, the drawing moves up. */
  watch(probe: Probe): void {
    this.change("View in scope", (draft) => edits.addScope(draft, probe));
    const area = layoutOf(this.document, this.current.size).drawing;
    const [top, bottom] = this.heightOf(probe);
    const hidden = Math.max(0, bottom + ROOM - (area[1] + area[3]));
    this.pan([0, -Math.min(hidden, Math.max(0, top - ROOM))]);
  }

  toggleMeasure(scope: string, measure: Measure): void {
    this.change("Scope measure", (draft) => edits.toggleMeasure(draft, scope, measure));
  }

  removeScope(scope: string): void {
    this.change("Remove scope", (draft) => edits.removeScope(draft, scope));
  }

  /** Shows the next shorter or longer stretch of time in a scope. */
  stretch(scope: string, step: 1 | -1): void {
    const index = WINDOWS.findIndex((window) => window === this.windowOf(scope)) + step;
    const window = WINDOWS[Math.min(WINDOWS.length - 1, Math.max(0, index))] ?? FIRST_WINDOW;
    this.update({ windows: { ...this.current.windows, [scope]: window } });
    this.simulation.refresh();
  }

  readonly windowOf = (scope: string): number => this.current.windows[scope] ?? FIRST_WINDOW;

  setSpeed(speed: number): void {
    this.change("Speed", (draft) => {
      draft.speed = speed;
    });
  }

  reset(): void {
    this.simulation.restart();
    this.notify();
  }

  /** Replaces the whole drawing. */
  open(label: string, doc: CircuitDocument): void {
    this.change(label, (draft) => Object.assign(draft, structuredClone(doc)));
    this.update({ selection: new Set(), ghost: null, gesture: null });
    this.fit();
  }

  /** Leaves whatever is under way; with nothing under way, the selection and the Wire mode. */
  escape(): void {
    const { ghost, gesture } = this.current;
    if (ghost !== null || gesture !== null) {
      this.update({ ghost: null, gesture: null });
    } else {
      this.update({ mode: "select", selection: new Set() });
    }
  }

  zoom(step: 1 | -1, about?: Point): void {
    const { view } = this.current;
    const [x, y, width, height] = layoutOf(this.document, this.current.size).drawing;
    const centre: Point = about ?? [x + Math.round(width / 2), y + Math.round(height / 2)];
    this.look(zoomed(view, nextUnit(view.unit, step), centre));
  }

  pan(by: Point): void {
    this.look(panned(this.current.view, by));
  }

  fit(): void {
    const [, , width, height] = layoutOf(this.document, this.current.size).drawing;
    this.look(fitted(extentOf(this.document), width, height));
  }

  /** Says where the pointer is on the canvas, or that it has left it. */
  point(pixel: Point | null): void {
    const { ghost, view } = this.current;
    const moved = ghost === null || pixel === null ? ghost : { ...ghost, at: rounded(toGrid(view, pixel)) };
    this.update({ pointer: pixel, hover: this.targetAt(pixel), ghost: moved });
  }

  /** What lies under a pixel of the canvas. */
  targetAt(pixel: Point | null): Target | null {
    const { view, size } = this.current;
    if (pixel === null || pixel[1] >= layoutOf(this.document, size).drawing[3]) {
      return null;
    }
    return targetAt(this.shown, toGrid(view, pixel), view.unit);
  }

  openDialog(dialog: OpenDialog): void {
    this.update({ dialog, menu: null });
  }

  /** What the engine is asked about the scopes. */
  readonly scopeQuestions = (): ScopeQuestion[] =>
    layoutOf(this.document, this.current.size).scopes.map(({ id, plot }) => ({
      id,
      window: this.windowOf(id),
      columns: Math.max(1, plot[2]),
    }));

  private look(view: EditorState["view"]): void {
    this.current = { ...this.current, view };
    this.point(this.current.pointer);
  }

  /** The pixels at which the thing begins and ends, from top to bottom, that a scope looks at. */
  private heightOf(probe: Probe): Point {
    const { view } = this.current;
    const part = "part" in probe ? this.document.parts.find(({ id }) => id === probe.part) : undefined;
    const place = probePlace(this.document, probe) ?? [0, 0];
    const [top, bottom] = part === undefined ? [place[1], place[1]] : [boxOf(part)[1], boxOf(part)[3]];
    return [toPixel(view, [0, top])[1], toPixel(view, [0, bottom])[1]];
  }

  private hang(ghost: Hanging): void {
    this.update({ ghost, mode: "select", selection: new Set(), gesture: null });
  }

  private gridNextToPointer(): Point {
    return rounded(toGrid(this.current.view, this.nextToPointer()));
  }

  private nextToPointer(): Point {
    const [x, y, width, height] = layoutOf(this.document, this.current.size).drawing;
    const [px, py] = this.lastPixel ?? [x + width / 2, y + height / 2];
    return [Math.min(x + width, Math.max(x, px)), Math.min(y + height, Math.max(y, py))];
  }

  private documentChanged(): void {
    const { parts, wires, scopes } = this.document;
    if (parts !== this.seen.parts || wires !== this.seen.wires) {
      this.simulation.restart();
    } else if (scopes !== this.seen.scopes) {
      this.simulation.refresh();
    }
    this.seen = this.document;
    const ids = new Set([...parts, ...wires].map(({ id }) => id));
    const selection = new Set([...this.current.selection].filter((id) => ids.has(id)));
    const hover = this.current.pointer === null ? null : this.targetAt(this.current.pointer);
    this.update({ selection, hover: sameTarget(hover, this.current.hover) ? this.current.hover : hover });
  }

  private notify(news: "picture" | "time" = "picture"): void {
    this.isDirty ||= news === "picture";
    for (const listener of [...this.listeners]) {
      listener();
    }
  }
}

/** The parts and wires a rectangle of the grid holds whole. */
export function within(doc: CircuitDocument, a: Point, b: Point): string[] {
  const [left, right] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
  const [top, bottom] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
  const holds = (part: CircuitDocument["parts"][number] | CircuitDocument["wires"][number]) => {
    const box = extentOf("kind" in part ? { ...doc, parts: [part], wires: [] } : { ...doc, parts: [], wires: [part] });
    return box !== null && box[0] >= left && box[1] >= top && box[2] <= right && box[3] <= bottom;
  };
  return [...doc.parts, ...doc.wires].filter(holds).map(({ id }) => id);
}

/** The part or wire a target belongs to, as a selection. */
export function only(target: Target): ReadonlySet<string> {
  return new Set([idOf(target)]);
}
