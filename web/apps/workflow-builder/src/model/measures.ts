import { kindOf } from "./catalogue";
import { outputsOf, type Node, type Point } from "./document";

/** The raster that nodes snap to. */
export const GRID_PX = 20;
/** Every node is this wide. */
export const NODE_WIDTH_PX = 180;
/** The part of a node with its icon and name. */
export const HEADER_PX = 52;
/** The line that sums up the main setting. */
export const SUMMARY_PX = 28;
/** Header and summary; the input, and an output without a row of its own, sit at half this height. */
export const BODY_PX = HEADER_PX + SUMMARY_PX;
/** The row of one labelled output. */
export const OUTPUT_ROW_PX = 24;
/** What is drawn of a port; what can be grabbed is wider. */
export const PORT_PX = 14;

const OUTPUTS_PADDING_PX = 6;

/** Whether the outputs of a node are listed with labels. */
export function hasOutputRows(node: Node): boolean {
  return node.kind === "switch" || kindOf(node.kind).outputs.length > 1;
}

/** How high a node is. */
export function nodeHeight(node: Node): number {
  return hasOutputRows(node) ? BODY_PX + outputsOf(node).length * OUTPUT_ROW_PX + OUTPUTS_PADDING_PX : BODY_PX;
}

/** The middle of an output port, measured from the node's corner. */
export function outputAnchor(node: Node, output: string): Point {
  const row = outputsOf(node).indexOf(output);
  const y = hasOutputRows(node) ? BODY_PX + (row + 0.5) * OUTPUT_ROW_PX : BODY_PX / 2;
  return { x: NODE_WIDTH_PX, y };
}

/** The middle of the input port, measured from the node's corner. */
export function inputAnchor(): Point {
  return { x: 0, y: BODY_PX / 2 };
}
