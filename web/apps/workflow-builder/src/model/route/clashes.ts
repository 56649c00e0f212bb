import type { Box } from "../viewport";
import type { Segment } from "./segments";

/** What a line has to do with its ends: which port it leaves, which node it goes to. */
export interface Ends {
  source: string;
  output: string;
  target: string;
}

/** The room that a node takes, with what lines have to keep off it. */
export interface Keep {
  id: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A line that already has its way. */
export interface Laid {
  ends: Ends;
  segments: readonly Segment[];
}

/** Lines keep this far from nodes that they do not end at. */
const CLEAR_PX = 12;
const THROUGH_NODE_COST = 100_000;
const SAME_LANE_COST = 300;
/** Lines that part or meet may lie together where they do so, but are easier to tell apart otherwise. */
const SAME_LANE_KIN_COST = 80;
const CROSSING_COST = 30;
const NEAR_PX = 8;

/** The room that a node with this rectangle takes. */
export function keepOf(id: string, { x, y, width, height }: Box): Keep {
  return {
    id,
    left: x - CLEAR_PX,
    right: x + width + CLEAR_PX,
    top: y - CLEAR_PX,
    bottom: y + height + CLEAR_PX,
  };
}

/** What it costs a line that it runs through nodes other than where it leaves and arrives. */
export function costOfNodes(segments: readonly Segment[], ends: Ends, keeps: readonly Keep[]): number {
  let cost = 0;
  for (const segment of segments) {
    for (const keep of keeps) {
      if (!touches(segment, keep)) continue;
      const isOwn = (segment.isFirst && keep.id === ends.source) || (segment.isLast && keep.id === ends.target);
      if (!isOwn) cost += THROUGH_NODE_COST;
    }
  }
  return cost;
}

/** What it costs a line that it lies on another or crosses it. */
export function costOfLine(segments: readonly Segment[], ends: Ends, other: Laid): number {
  const leavesTogether = ends.source === other.ends.source && ends.output === other.ends.output;
  const meets = ends.target === other.ends.target;
  const areKin = leavesTogether || meets;
  let cost = 0;
  for (const one of segments) {
    for (const two of other.segments) {
      if (one.axis !== two.axis) cost += crosses(one, two, areKin) ? CROSSING_COST : 0;
      else if (liesOn(one, two)) {
        const isShared = (leavesTogether && one.isFirst && two.isFirst) || (meets && one.isLast && two.isLast);
        if (!isShared) cost += areKin ? SAME_LANE_KIN_COST : SAME_LANE_COST + common(one, two);
      }
    }
  }
  return cost;
}

function common(one: Segment, two: Segment): number {
  return Math.min(one.high, two.high) - Math.max(one.low, two.low);
}

/** Whether two stretches of one direction are, or look like, one line. */
function liesOn(one: Segment, two: Segment): boolean {
  return Math.abs(one.at - two.at) < NEAR_PX && one.low < two.high + NEAR_PX && two.low < one.high + NEAR_PX;
}

/** Whether stretches of different directions meet; where lines belong together the meeting of an end is no crossing. */
function crosses(one: Segment, two: Segment, areKin: boolean): boolean {
  const slack = areKin ? 1 : 0;
  return (
    two.at >= one.low + slack && two.at <= one.high - slack && one.at >= two.low + slack && one.at <= two.high - slack
  );
}

function touches({ axis, at, low, high }: Segment, { left, right, top, bottom }: Keep): boolean {
  return axis === "x"
    ? at > top && at < bottom && low < right && high > left
    : at > left && at < right && low < bottom && high > top;
}
