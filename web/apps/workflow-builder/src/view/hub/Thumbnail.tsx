import { kindOf } from "../../model/catalogue";
import { curve, detourOf, type Span } from "../../model/curve";
import type { Edge, Node, Point } from "../../model/document";
import { inputAnchor, outputAnchor } from "../../model/measures";
import { boundsOf, boxOf } from "../../model/viewport";
import type { Recipe } from "../../model/transfer";

const MARGIN_PX = 60;
const SMALLEST = { width: 1000, height: 440 };

/** A small picture of a workflow. */
export function Thumbnail({ workflow: { nodes, edges } }: { workflow: Recipe }) {
  const bounds = boundsOf(nodes) ?? { x: 0, y: 0, width: 0, height: 0 };
  const width = Math.max(SMALLEST.width, bounds.width + 2 * MARGIN_PX);
  const height = Math.max(SMALLEST.height, bounds.height + 2 * MARGIN_PX);
  const left = bounds.x + bounds.width / 2 - width / 2;
  const top = bounds.y + bounds.height / 2 - height / 2;
  return (
    <svg className="thumbnail" viewBox={`${left} ${top} ${width} ${height}`} aria-hidden="true">
      {edges.map((edge) => (
        <path key={edge.id} className="thumbnail-edge" d={edgePath(edge, nodes)} />
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

function edgePath(edge: Edge, nodes: readonly Node[]): string {
  const source = nodes.find(({ id }) => id === edge.source);
  const target = nodes.find(({ id }) => id === edge.target);
  if (!source || !target) return "";
  const from = add(source.position, outputAnchor(source, edge.output));
  const to = add(target.position, inputAnchor());
  return curve(from, to, detourOf(spanOf(source), spanOf(target)));
}

function spanOf(node: Node): Span {
  const { y, height } = boxOf(node);
  return { top: y, bottom: y + height };
}

function add(one: Point, other: Point): Point {
  return { x: one.x + other.x, y: one.y + other.y };
}
