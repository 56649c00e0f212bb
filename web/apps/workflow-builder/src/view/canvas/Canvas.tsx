import {
  ReactFlow,
  type Connection,
  type EdgeChange,
  type FinalConnectionState,
  type NodeChange,
  type ReactFlowProps,
} from "@xyflow/react";
import { useMemo, useRef, useState, type CSSProperties } from "react";
import type { Point, Workflow } from "../../model/document";
import { canConnect, connect, move } from "../../model/edits";
import { GRID_PX } from "../../model/measures";
import { ZOOM_LEVELS, type Viewport } from "../../model/viewport";
import { store } from "../../store";
import { ConnectionLine } from "./ConnectionLine";
import { useEdgeGeometry } from "./edge-geometry";
import { EdgeLine } from "./EdgeLine";
import { flowEdges, flowNodes, flowRoutes, targetUnder, type CardNode, type LineEdge } from "./flow";
import { nearestEdge, tracesIn } from "./nearest-edge";
import { NodeCard } from "./NodeCard";
import { portGrowth } from "./port-growth";
import { useWheel } from "./wheel";

interface CanvasProps {
  workflow: Workflow;
  selection: ReadonlySet<string>;
  viewport: Viewport;
  onSelect: (selection: ReadonlySet<string>) => void;
  onViewport: (viewport: Viewport) => void;
}

const nodeTypes = { card: NodeCard };
const edgeTypes = { line: EdgeLine };
const REACH_PX = 22;
/** A press that moves less than this draws no line. */
const DRAG_PX = 3;
const DOTS_PX = 2 * GRID_PX;

/** How the canvas behaves: nothing moves by itself, scales are fixed levels, keys belong to the editor. */
const HABITS = {
  nodeTypes,
  edgeTypes,
  minZoom: ZOOM_LEVELS[0]!,
  maxZoom: ZOOM_LEVELS.at(-1)!,
  connectionLineComponent: ConnectionLine,
  connectionRadius: REACH_PX,
  connectOnClick: false,
  connectionDragThreshold: DRAG_PX,
  nodeDragThreshold: 0,
  snapToGrid: true,
  snapGrid: [GRID_PX, GRID_PX],
  zoomOnScroll: false,
  zoomOnPinch: false,
  zoomOnDoubleClick: false,
  preventScrolling: false,
  autoPanOnConnect: false,
  autoPanOnNodeDrag: false,
  autoPanOnNodeFocus: false,
  selectionKeyCode: null,
  multiSelectionKeyCode: ["Control", "Shift", "Meta"],
  deleteKeyCode: null,
  panActivationKeyCode: null,
  zoomActivationKeyCode: null,
  disableKeyboardA11y: true,
  elevateNodesOnSelect: true,
  proOptions: { hideAttribution: true },
} satisfies ReactFlowProps<CardNode, LineEdge>;

/** The canvas: nodes are dragged, ports joined, edges picked; the document changes when the pointer lets go. */
export function Canvas({ workflow, selection, viewport, onSelect, onViewport }: CanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<ReadonlyMap<string, Point>>(new Map());
  const nodes = useMemo(() => flowNodes(workflow, selection, dragged), [workflow, selection, dragged]);
  const lines = useMemo(() => flowRoutes(workflow, dragged), [workflow, dragged]);
  const edges = useMemo(() => flowEdges(workflow, selection, lines), [workflow, selection, lines]);
  useWheel(frame, viewport, onViewport);
  useEdgeGeometry(frame);

  function onChanges(changes: (NodeChange | EdgeChange)[]): void {
    const moved = changes.flatMap((change): [string, Point][] =>
      change.type === "position" && change.position ? [[change.id, change.position]] : [],
    );
    if (moved.length > 0) setDragged(new Map(moved));
    const picked = changes.filter((change) => change.type === "select");
    if (picked.length > 0) select(picked);
  }

  const latest = useRef(selection);
  latest.current = selection;
  function select(picked: { id: string; selected: boolean }[]): void {
    const next = new Set(latest.current);
    for (const { id, selected } of picked) selected ? next.add(id) : next.delete(id);
    latest.current = next;
    onSelect(next);
  }

  /** Lines lie close together, so it is the nearest that is picked and not the one drawn last. */
  function pickEdge(event: MouseEvent): void {
    const nearest = nearestEdge(tracesIn(frame.current!), { x: event.clientX, y: event.clientY });
    if (!nearest) return;
    const isMore = event.ctrlKey || event.shiftKey || event.metaKey;
    onSelect(new Set(isMore ? [...selection, nearest.id] : [nearest.id]));
  }

  function drop(dropped: { id: string; position: Point }[]): void {
    const positions = new Map(dropped.map(({ id, position }) => [id, position]));
    store.change("Move node", (draft) => move(draft, positions));
    setDragged(new Map());
  }

  /** An edge may also be dropped anywhere on the left half of a node. */
  function joinLoosely(event: MouseEvent | TouchEvent, { isValid, fromHandle }: FinalConnectionState): void {
    if (isValid || fromHandle?.type !== "source" || !("clientX" in event)) return;
    const target = targetUnder(event, workflow.nodes, frame.current!, viewport);
    if (target) join({ source: fromHandle.nodeId, sourceHandle: fromHandle.id ?? null, target: target.id });
  }

  return (
    <div className={`canvas zoom-${Math.round(viewport.zoom * 100)}`} style={backdrop(viewport)} ref={frame}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        viewport={viewport}
        onViewportChange={({ x, y, zoom }) => onViewport({ x: Math.round(x), y: Math.round(y), zoom })}
        onNodesChange={onChanges}
        onEdgesChange={onChanges}
        onEdgeClick={(event) => pickEdge(event.nativeEvent)}
        onNodeDragStop={(_event, _node, dropped) => drop(dropped)}
        onConnect={join}
        onConnectEnd={joinLoosely}
        isValidConnection={({ source, sourceHandle, target }) =>
          canConnect(workflow, source, sourceHandle ?? "main", target)
        }
        {...HABITS}
      />
    </div>
  );
}

function join({ source, sourceHandle, target }: Pick<Connection, "source" | "sourceHandle" | "target">): void {
  store.change("Connect", (draft) => connect(draft, source, sourceHandle ?? "main", target));
}

/** The raster of dots behind the nodes, and how large ports are drawn at this scale. */
function backdrop({ x, y, zoom }: Viewport): CSSProperties & Record<`--${string}`, string> {
  const period = DOTS_PX * zoom;
  return {
    backgroundSize: `${period}px ${period}px`,
    backgroundPosition: `${x - period / 2}px ${y - period / 2}px`,
    "--port-grow": `${portGrowth(zoom)}px`,
  };
}
