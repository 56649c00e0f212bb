import { everyFrame, provide, ready } from "@quintain/kit";
import { type MouseEvent, type PointerEvent, useEffect, useRef } from "react";
import { drawScene } from "../draw/scene";
import { layoutOf } from "../draw/layout";
import type { Editor } from "../editor/editor";
import { canvasGeometry } from "../editor/geometry";
import { type Press, doubleClick, move, press, pressDock, release, rightClick } from "../editor/pointer";
import type { Point } from "../model/document";
import { useEditor } from "./useEditor";

const BUTTONS: Readonly<Record<number, Press["button"]>> = { 0: "left", 1: "middle", 2: "right" };

/** The drawing area with the scopes: one canvas, drawn once per frame when something has changed. */
export function Canvas({ editor }: { editor: Editor }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => run(editor, canvas.current!), [editor]);
  const isDrawing = useEditor(editor, (each) => each.state().mode === "wire" || each.state().ghost !== null);

  function onPointerDown(event: PointerEvent): void {
    const pixel = pixelOf(event);
    (document.activeElement as HTMLElement | null)?.blur();
    if (event.button === 0) pressDock(editor, pixel, [event.clientX, event.clientY]);
    press(editor, { pixel, button: BUTTONS[event.button] ?? "left", shift: event.shiftKey });
    canvas.current?.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  return (
    <div className="canvas-frame">
      <canvas
        ref={canvas}
        className={isDrawing ? "canvas canvas-drawing" : "canvas"}
        aria-hidden="true"
        onPointerDown={onPointerDown}
        onPointerMove={(event) => move(editor, pixelOf(event), event.shiftKey)}
        onPointerUp={(event) => release(editor, pixelOf(event), event.shiftKey)}
        onPointerLeave={() => editor.point(null)}
        onContextMenu={(event) => rightClick(editor, pixelOf(event), [event.clientX, event.clientY])}
        onDoubleClick={(event) => doubleClick(editor, pixelOf(event))}
      />
    </div>
  );
}

/** Keeps the canvas as large as its frame, draws it, and lets the simulation's time pass, frame by frame. */
function run(editor: Editor, canvas: HTMLCanvasElement): () => void {
  const context = canvas.getContext("2d", { alpha: false })!;
  const resize = () => {
    const [width, height] = sizeOf(canvas);
    const isFirst = editor.state().size[0] === 0;
    [canvas.width, canvas.height] = [width, height];
    editor.update({ size: [width, height] });
    if (isFirst && editor.document.parts.length > 0) editor.fit();
  };
  resize();
  const draw = () => {
    const { shown: doc, simulation } = editor;
    drawScene(context, { doc, state: editor.state(), answer: simulation.answer, windowOf: editor.windowOf });
  };
  draw();
  ready();
  const stops = [
    provide(() => canvasGeometry(editor, canvas)),
    listenForWheel(editor, canvas),
    listenForSize(resize),
    listenForPointer(editor, canvas),
    everyFrame((nowMs) => {
      editor.simulation.frame(nowMs, editor.document, editor.state().running, editor.scopeQuestions);
      if (editor.takeDirty()) draw();
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

function listenForSize(resize: () => void): () => void {
  addEventListener("resize", resize);
  return () => removeEventListener("resize", resize);
}

/** Follows the pointer over the whole page, so that a picked component hangs where the pointer is. */
function listenForPointer(editor: Editor, canvas: HTMLCanvasElement): () => void {
  const onMove = (event: globalThis.PointerEvent) => {
    const { left, top } = canvas.getBoundingClientRect();
    editor.track([event.clientX - left, event.clientY - top]);
  };
  addEventListener("pointermove", onMove, true);
  addEventListener("pointerdown", onMove, true);
  return () => {
    removeEventListener("pointermove", onMove, true);
    removeEventListener("pointerdown", onMove, true);
  };
}

/** The wheel pans, with Shift sideways, with Ctrl it zooms. It must not scroll or zoom the page. */
function listenForWheel(editor: Editor, canvas: HTMLCanvasElement): () => void {
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const pixel = pixelOf(event);
    if (event.ctrlKey || event.metaKey) {
      const isOnDock = pixel[1] >= layoutOf(editor.document, editor.state().size).drawing[3];
      if (!isOnDock) editor.zoom(event.deltaY < 0 ? 1 : -1, pixel);
    } else {
      const [x, y] = event.shiftKey ? [event.deltaY + event.deltaX, 0] : [event.deltaX, event.deltaY];
      editor.pan([-x, -y]);
    }
  };
  canvas.addEventListener("wheel", onWheel, { passive: false });
  return () => canvas.removeEventListener("wheel", onWheel);
}

function sizeOf(canvas: HTMLCanvasElement): Point {
  const { width, height } = canvas.parentElement!.getBoundingClientRect();
  return [Math.floor(width), Math.floor(height)];
}

function pixelOf(event: MouseEvent | PointerEvent | WheelEvent): Point {
  const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}
