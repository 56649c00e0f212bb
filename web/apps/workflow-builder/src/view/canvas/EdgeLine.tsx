import { useStore, type EdgeProps } from "@xyflow/react";
import { memo } from "react";
import { arrow, rounded } from "../../model/curve";
import type { LineEdge } from "./flow";
import { portGrowth } from "./port-growth";

const ARROW_PX = 9;
const GRASP_PX = 16;

/** An edge on the canvas: the line one sees, and a wider one that catches the pointer. */
export const EdgeLine = memo(function EdgeLine(props: EdgeProps<LineEdge>) {
  const zoom = useStore((state) => state.transform[2]);
  const length = ARROW_PX / Math.min(1, zoom);
  const points = props.data?.points ?? [];
  const last = points.at(-1);
  if (!last) return null;
  const tip = { x: last.x - portGrowth(zoom), y: last.y };
  const path = rounded([...points.slice(0, -1), { x: Math.round(tip.x - length + 1), y: tip.y }]);
  const grasp = rounded([...points.slice(0, -1), tip]);
  return (
    <g className={props.selected ? "line line-selected" : "line"}>
      <path className="line-path" d={path} />
      <path className="line-arrow" d={arrow(tip, length)} />
      <path className="line-grasp" d={grasp} strokeWidth={GRASP_PX / Math.min(1, zoom)} data-edge={props.id} />
    </g>
  );
});
