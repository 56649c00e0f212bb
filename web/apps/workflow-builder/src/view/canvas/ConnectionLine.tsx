import type { ConnectionLineComponentProps } from "@xyflow/react";
import { curve } from "../../model/curve";

/** The line that follows the pointer while an edge is drawn. */
export function ConnectionLine({ fromX, fromY, toX, toY, fromHandle, connectionStatus }: ConnectionLineComponentProps) {
  const start = { x: fromX, y: fromY };
  const end = { x: toX, y: toY };
  const isForwards = fromHandle.type === "source";
  const path = isForwards ? curve(start, end) : curve(end, start);
  return <path className={`connection ${connectionStatus === "valid" ? "connection-valid" : ""}`} d={path} />;
}
