import { useEffect, useRef, useState, type PointerEvent as ReactPointerEvent } from "react";
import type { Point } from "../model/document";

/** A kind of node on its way from the library, and where the pointer has it on the screen. */
export interface Carried {
  kind: string;
  at: Point;
}

const START_PX = 6;

/**
 * Lets kinds be dragged out of the library. `begin` goes on the pointer press; `carried` is set once the pointer has
 * moved far enough to mean it; `onDrop` says where it was let go.
 */
export function useLibraryDrag(onDrop: (carried: Carried) => void): {
  carried: Carried | null;
  begin: (kind: string, event: ReactPointerEvent) => void;
} {
  const pressed = useRef<Carried | null>(null);
  const [carried, setCarried] = useState<Carried | null>(null);

  useEffect(() => {
    function onMove(event: PointerEvent): void {
      const { current } = pressed;
      if (!current) return;
      const at = { x: event.clientX, y: event.clientY };
      const isFar = Math.hypot(at.x - current.at.x, at.y - current.at.y) >= START_PX;
      setCarried((before) => (before || isFar ? { kind: current.kind, at } : null));
    }
    function onUp(event: PointerEvent): void {
      const { current } = pressed;
      pressed.current = null;
      setCarried(null);
      if (current) onDrop({ kind: current.kind, at: { x: event.clientX, y: event.clientY } });
    }
    addEventListener("pointermove", onMove);
    addEventListener("pointerup", onUp);
    return () => {
      removeEventListener("pointermove", onMove);
      removeEventListener("pointerup", onUp);
    };
  }, [onDrop]);

  function begin(kind: string, event: ReactPointerEvent): void {
    if (event.button === 0) pressed.current = { kind, at: { x: event.clientX, y: event.clientY } };
  }

  return { carried, begin };
}
