import { useEffect, useRef, type RefObject } from "react";
import { zoomAround, zoomLevel, type Viewport } from "../../model/viewport";

const LINE_PX = 16;

/** The wheel moves the canvas, with Shift sideways; with Ctrl it changes the scale around the pointer. */
export function useWheel(
  frame: RefObject<HTMLElement | null>,
  viewport: Viewport,
  onViewport: (viewport: Viewport) => void,
): void {
  const latest = useRef(viewport);
  latest.current = viewport;
  useEffect(() => {
    const element = frame.current!;
    function onWheel(event: WheelEvent): void {
      event.preventDefault();
      const next = event.ctrlKey ? scaled(latest.current, event, element) : moved(latest.current, event);
      latest.current = next;
      onViewport(next);
    }
    element.addEventListener("wheel", onWheel, { passive: false, capture: true });
    return () => element.removeEventListener("wheel", onWheel, { capture: true });
  }, [frame, onViewport]);
}

function moved(viewport: Viewport, event: WheelEvent): Viewport {
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
  const isSideways = event.shiftKey && event.deltaX === 0;
  const [across, down] = isSideways ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
  return { ...viewport, x: Math.round(viewport.x - across * unit), y: Math.round(viewport.y - down * unit) };
}

function scaled(viewport: Viewport, event: WheelEvent, element: HTMLElement): Viewport {
  const { left, top } = element.getBoundingClientRect();
  const zoom = zoomLevel(viewport.zoom, event.deltaY < 0 ? "in" : "out");
  return zoomAround(viewport, zoom, { x: event.clientX - left, y: event.clientY - top });
}
