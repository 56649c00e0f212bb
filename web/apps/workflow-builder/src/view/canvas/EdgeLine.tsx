import { useStore, type EdgeProps } from "@xyflow/react";
import { memo } from "react";
import { arrow, curve } from "../../model/curve";
import type { LineEdge } from "./flow";
import { portGrowth } from "./port-growth";

const ARROW_PX = 9;
const GRASP_PX = 16;

/** An edge on the canvas: the line one sees, and a wider one that catches the pointer. */
export const EdgeLine = memo(function EdgeLine(props: EdgeProps<LineEdge>) {
  const zoom = useStore((state) => state.transform[2]);
  const length = ARROW_PX / Math.min(1, zoom);
  const from = { x: props.sourceX, y: props.sourceY };
  const tip = { x: props.targetX - portGrowth(zoom), y: props.targetY };
  const path = curve(from, { x: tip.x - length + 1, y: tip.y }, props.data?.detour ?? null);
  return (
    <g className={props.selected ? "line line-selected" : "line"}>
      <path className="line-path" d={path} />
      <path className="line-arrow" d={arrow(tip, length)} />
      <path className="line-grasp" d={path} strokeWidth={GRASP_PX / Math.min(1, zoom)} data-edge={props.id} />
    </g>
  );
});
