import { Handle, Position, useConnection, type NodeProps } from "@xyflow/react";
import { memo } from "react";
import { categoryName, kindOf } from "../../model/catalogue";
import { outputsOf, type Node } from "../../model/document";
import { hasOutputRows, HEADER_PX, inputAnchor, OUTPUT_ROW_PX, outputAnchor, SUMMARY_PX } from "../../model/measures";
import { briefOf } from "../../model/summary";
import { Cut } from "../Cut";
import { KindIcon } from "../KindIcon";
import { isOnLeftHalf, type CardNode } from "./flow";

/** A node on the canvas. */
export const NodeCard = memo(function NodeCard({ data: { node, isEnd }, selected }: NodeProps<CardNode>) {
  const { category } = kindOf(node.kind);
  const isAimedAt = useConnection(
    ({ inProgress, fromHandle, to }) =>
      inProgress && fromHandle.type === "source" && fromHandle.nodeId !== node.id && isOnLeftHalf(to, node),
  );
  const summary = briefOf(node);
  const state = isAimedAt ? "node-aimed" : selected ? "node-selected" : isEnd ? "node-end" : "";
  return (
    <div className={`node tint-${category} ${state}`}>
      <div className="node-header" style={{ height: HEADER_PX }} data-geo={`node/${node.id}`}>
        <KindIcon kind={node.kind} size={16} />
        <div className="node-words">
          <div className="node-name">{node.name}</div>
          <div className="node-category">{categoryName(category)}</div>
        </div>
      </div>
      <div className={`node-summary ${summary ? "" : "node-summary-empty"}`} style={{ height: SUMMARY_PX }}>
        {summary ? <Cut text={summary} /> : hasSettings(node) ? "Not set up" : "No settings"}
      </div>
      {hasOutputRows(node) && <OutputRows node={node} />}
      <Ports node={node} />
    </div>
  );
});

/** Whether there is anything to set up; every node has notes. */
function hasSettings(node: Node): boolean {
  return kindOf(node.kind).settings.some(({ key }) => key !== "notes");
}

function OutputRows({ node }: { node: Node }) {
  return (
    <ul className="node-outputs">
      {outputsOf(node).map((output) => (
        <li key={output} className="node-output" style={{ height: OUTPUT_ROW_PX }}>
          {output}
        </li>
      ))}
    </ul>
  );
}

function Ports({ node }: { node: Node }) {
  return (
    <>
      {kindOf(node.kind).input && (
        <Handle
          id="in"
          type="target"
          position={Position.Left}
          className="port"
          role="button"
          aria-label={`${node.name} input`}
          data-geo={`node/${node.id}/in`}
          style={{ top: inputAnchor().y }}
        />
      )}
      {outputsOf(node).map((output) => (
        <Handle
          key={output}
          id={output}
          type="source"
          position={Position.Right}
          className="port"
          role="button"
          aria-label={`${node.name} output ${output}`}
          data-geo={`node/${node.id}/out/${output}`}
          style={{ top: outputAnchor(node, output).y }}
        />
      ))}
    </>
  );
}
