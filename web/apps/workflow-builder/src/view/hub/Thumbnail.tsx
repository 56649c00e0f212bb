import { useMemo } from "react";
import { kindOf } from "../../model/catalogue";
import { rounded } from "../../model/curve";
import type { Node } from "../../model/document";
import { routes } from "../../model/route/route";
import { boundsOf, boxOf } from "../../model/viewport";
import type { Recipe } from "../../model/transfer";

const MARGIN_PX = 60;
const SMALLEST = { width: 1000, height: 440 };

/** A small picture of a workflow. */
export function Thumbnail({ workflow: { nodes, edges } }: { workflow: Recipe }) {
  const lines = useMemo(() => routes(nodes, edges), [nodes, edges]);
  const bounds = boundsOf(nodes) ?? { x: 0, y: 0, width: 0, height: 0 };
  const width = Math.max(SMALLEST.width, bounds.width + 2 * MARGIN_PX);
  const height = Math.max(SMALLEST.height, bounds.height + 2 * MARGIN_PX);
  const left = bounds.x + bounds.width / 2 - width / 2;
  const top = bounds.y + bounds.height / 2 - height / 2;
  return (
    <svg className="thumbnail" viewBox={`${left} ${top} ${width} ${height}`} aria-hidden="true">
      {[...lines].map(([id, points]) => (
        <path key={id} className="thumbnail-edge" d={rounded(points)} />
      ))}
      {nodes.map((node) => (
        <ThumbnailNode key={node.id} node={node} />
      ))}
    </svg>
  );
}

function ThumbnailNode({ node }: { node: Node }) {
  const { x, y, width, height } = boxOf(node);
  return (
    <g className={`tint-${kindOf(node.kind).category}`}>
      <rect className="thumbnail-node" x={x} y={y} width={width} height={height} rx={16} />
      <rect className="thumbnail-tint" x={x} y={y} width={36} height={height} rx={16} />
    </g>
  );
}
