import { provide, type Rectangle } from "@quintain/kit";
import { useEffect, type RefObject } from "react";

const HALF_PX = 2;
const SHARES = [0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.25, 0.75, 0.2, 0.8, 0.15, 0.85, 0.1, 0.9, 0.06, 0.94];

/** Lists each edge by a small rectangle on a point of its line where a click picks that edge and nothing else. */
export function useEdgeGeometry(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => provide(() => edgeRectangles(frame.current)), [frame]);
}

function edgeRectangles(frame: HTMLElement | null): [string, Rectangle][] {
  const lines = [...(frame?.querySelectorAll<SVGPathElement>("[data-edge]") ?? [])];
  return lines.flatMap((line): [string, Rectangle][] => {
    const point = pointsOf(line).find((candidate) => isOwn(line, candidate));
    if (!point) return [];
    return [[`edge/${line.dataset["edge"]}`, [point.x - HALF_PX, point.y - HALF_PX, 2 * HALF_PX, 2 * HALF_PX]]];
  });
}

function pointsOf(line: SVGPathElement): DOMPoint[] {
  const length = line.getTotalLength();
  const toScreen = line.getScreenCTM();
  if (!toScreen) return [];
  return SHARES.map((share) => line.getPointAtLength(length * share).matrixTransform(toScreen));
}

/** The line must be on top at the point and around it, so that rounding the point does not pick a neighbour. */
function isOwn(line: SVGPathElement, { x, y }: DOMPoint): boolean {
  const around = [[0, 0], [-HALF_PX, 0], [HALF_PX, 0], [0, -HALF_PX], [0, HALF_PX]] as const;
  return around.every(([across, down]) => document.elementFromPoint(x + across, y + down) === line);
}
