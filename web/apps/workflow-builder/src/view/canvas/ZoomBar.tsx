import { Button } from "@quintain/kit";
import { Maximize, Minus, Plus } from "lucide-react";
import type { Node } from "../../model/document";
import { fit, zoomAround, zoomLevel, ZOOM_LEVELS, type Size, type Viewport } from "../../model/viewport";

interface ZoomBarProps {
  viewport: Viewport;
  nodes: readonly Node[];
  size: () => Size;
  onViewport: (viewport: Viewport) => void;
}

/** Buttons for the scale of the canvas. */
export function ZoomBar({ viewport, nodes, size, onViewport }: ZoomBarProps) {
  function step(way: "in" | "out"): void {
    const { width, height } = size();
    onViewport(zoomAround(viewport, zoomLevel(viewport.zoom, way), { x: width / 2, y: height / 2 }));
  }
  return (
    <div className="zoom" role="group" aria-label="Zoom">
      <Button
        look="ghost"
        geo="zoom/out"
        label="Zoom out"
        disabled={viewport.zoom <= ZOOM_LEVELS[0]!}
        onPress={() => step("out")}
      >
        <Minus size={15} aria-hidden="true" />
      </Button>
      <output className="zoom-level" aria-label="Zoom level">
        {Math.round(viewport.zoom * 100)}%
      </output>
      <Button
        look="ghost"
        geo="zoom/in"
        label="Zoom in"
        disabled={viewport.zoom >= ZOOM_LEVELS.at(-1)!}
        onPress={() => step("in")}
      >
        <Plus size={15} aria-hidden="true" />
      </Button>
      <span className="zoom-rule" />
      <Button
        look="ghost"
        geo="zoom/fit"
        label="Fit the workflow to the canvas"
        onPress={() => onViewport(fit(nodes, size()))}
      >
        <Maximize size={15} aria-hidden="true" />
        Fit
      </Button>
    </div>
  );
}
