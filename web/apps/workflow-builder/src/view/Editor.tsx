import { listenForCommands } from "@quintain/kit";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { defaultSettings, kindOf } from "../model/catalogue";
import type { Node, Point, Workflow } from "../model/document";
import { addNode, remove } from "../model/edits";
import { dropPoint, placeNode } from "../model/place";
import { fit, reveal, type Size, type Viewport } from "../model/viewport";
import { store } from "../store";
import { Canvas } from "./canvas/Canvas";
import { ZoomBar } from "./canvas/ZoomBar";
import { EditorDialog, type Shown } from "./dialogs/EditorDialog";
import { KindIcon } from "./KindIcon";
import { Library } from "./Library";
import { useLibraryDrag, type Carried } from "./library-drag";
import { Panel } from "./panel/Panel";
import { TopBar } from "./TopBar";

/** The canvas with the library at its left and the properties at its right. */
export function Editor({ workflow }: { workflow: Workflow }) {
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState<Shown | null>(null);
  const [viewport, setViewport] = useState<Viewport | null>(null);
  const stage = useRef<HTMLDivElement>(null);
  const present = presentIn(workflow, selection);

  useLayoutEffect(() => setViewport(fit(workflow.nodes, sizeOf(stage.current!))), []);

  useEffect(() =>
    listenForCommands({
      undo: store.undo,
      redo: store.redo,
      escape: () => setSelection(new Set()),
      delete: () => present.size > 0 && removeAll(present),
    }),
  );

  function addAt(kind: string, position: Point): void {
    let id = "";
    store.change("Add node", (document) => (id = addNode(document, kind, position)));
    setSelection(new Set([id]));
  }

  function add(kind: string): void {
    const draft = draftOf(kind);
    const size = sizeOf(stage.current!);
    const selected = workflow.nodes.find(({ id }) => present.has(id));
    const position = placeNode(workflow.nodes, draft, selected, viewport!, size);
    addAt(kind, position);
    setViewport(reveal({ ...draft, position }, viewport!, size));
  }

  const { carried, begin } = useLibraryDrag(({ kind, at }) => {
    const { left, top, right, bottom } = stage.current!.getBoundingClientRect();
    if (at.x < left || at.x > right || at.y < top || at.y > bottom) return;
    addAt(kind, dropPoint({ x: at.x - left, y: at.y - top }, viewport!));
  });

  return (
    <div className="editor">
      <TopBar workflow={workflow} onShow={setShown} />
      <Library onAdd={add} onGrasp={begin} />
      <div className="stage" ref={stage} data-geo="canvas" data-geo-area>
        {viewport && (
          <>
            <Canvas
              workflow={workflow}
              selection={present}
              viewport={viewport}
              onSelect={setSelection}
              onViewport={setViewport}
            />
            <ZoomBar
              viewport={viewport}
              size={() => sizeOf(stage.current!)}
              nodes={workflow.nodes}
              onViewport={setViewport}
            />
          </>
        )}
      </div>
      <Panel workflow={workflow} selection={present} onSelect={setSelection} onDelete={removeAll} />
      {carried && <CarriedKind carried={carried} />}
      {shown && <EditorDialog shown={shown} workflow={workflow} onClose={() => setShown(null)} />}
    </div>
  );
}

/** The name of a kind under the pointer while it is dragged from the library. */
function CarriedKind({ carried: { kind, at } }: { carried: Carried }) {
  return (
    <div className="carried" style={{ left: at.x, top: at.y }} aria-hidden="true">
      <KindIcon kind={kind} size={14} />
      {kindOf(kind).name}
    </div>
  );
}

/** A node of a kind before it is in the document. */
function draftOf(kind: string): Node {
  return { id: "", kind, name: "", position: { x: 0, y: 0 }, settings: defaultSettings(kindOf(kind)) };
}

function removeAll(ids: ReadonlySet<string>): void {
  store.change("Delete", (draft) => remove(draft, ids));
}

/** What of a selection still exists. */
function presentIn({ nodes, edges }: Workflow, selection: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...nodes, ...edges].map(({ id }) => id).filter((id) => selection.has(id)));
}

function sizeOf(element: HTMLElement): Size {
  return { width: element.clientWidth, height: element.clientHeight };
}
