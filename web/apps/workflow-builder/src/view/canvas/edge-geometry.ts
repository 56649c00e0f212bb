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
  const middle = (points.length - 1) / 2;
  const candidates = points
    .map((point, index) => ({ point, off: Math.abs(index - middle), lead: leadAt(id, point, traces) }))
    .filter(({ lead }) => lead >= LEAST_LEAD_PX)
    .sort((one, other) => one.off - other.off);
  const roomy = candidates.find(({ lead }) => lead >= ENOUGH_LEAD_PX);
  return (roomy ?? candidates.sort((one, other) => other.lead - one.lead)[0])?.point;
}

/** By how much an edge is nearest at a point where edges can be picked; less than nothing where it is not. */
function leadAt(id: string, { x, y }: Point, traces: readonly Trace[]): number {
  const point = { x: Math.round(x), y: Math.round(y) };
  const isEdge = document.elementFromPoint(point.x, point.y)?.hasAttribute("data-edge");
  const nearest = isEdge ? nearestEdge(traces, point) : null;
  return nearest?.id === id ? nearest.lead : -1;
}
