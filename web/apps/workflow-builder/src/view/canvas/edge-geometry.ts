import { provide, type Rectangle } from "@quintain/kit";
import { useEffect, type RefObject } from "react";
import type { Point } from "../../model/document";
import { nearestEdge, tracesIn, type Trace } from "./nearest-edge";

const HALF_PX = 1;
const ENOUGH_LEAD_PX = 3;
const LEAST_LEAD_PX = 0.5;

/** Lists each edge by a small rectangle on a point of its line where a click picks that edge and nothing else. */
export function useEdgeGeometry(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => provide(() => (frame.current ? edgeRectangles(tracesIn(frame.current)) : [])), [frame]);
}

function edgeRectangles(traces: readonly Trace[]): [string, Rectangle][] {
  return traces.flatMap((trace): [string, Rectangle][] => {
    const point = clickablePoint(trace, traces);
    const size = 2 * HALF_PX;
    return point ? [[`edge/${trace.id}`, [point.x - HALF_PX, point.y - HALF_PX, size, size]]] : [];
  });
}

/** The point nearest to the middle of the line with some room to its neighbours, else the one with the most room. */
function clickablePoint({ id, points }: Trace, traces: readonly Trace[]): Point | undefined {
  let best: { point: Point; lead: number } | undefined;
  for (const point of fromTheMiddle(points)) {
    const lead = leadAt(id, point, traces);
    if (lead >= ENOUGH_LEAD_PX) return point;
    if (lead >= LEAST_LEAD_PX && lead > (best?.lead ?? 0)) best = { point, lead };
  }
  return best?.point;
}

function fromTheMiddle(points: readonly Point[]): Point[] {
  const middle = (points.length - 1) / 2;
  return points
    .map((point, index) => ({ point, off: Math.abs(index - middle) }))
    .sort((one, other) => one.off - other.off)
    .map(({ point }) => point);
}

/** By how much an edge is nearest at a point where edges can be picked; less than nothing where it is not. */
function leadAt(id: string, { x, y }: Point, traces: readonly Trace[]): number {
  const point = { x: Math.round(x), y: Math.round(y) };
  const isEdge = document.elementFromPoint(point.x, point.y)?.hasAttribute("data-edge");
  const nearest = isEdge ? nearestEdge(traces, point) : null;
  return nearest?.id === id ? nearest.lead : -1;
}
