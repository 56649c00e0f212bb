import type { Rectangle } from "./bridge";

type Provider = () => Iterable<readonly [name: string, rectangle: Rectangle]>;

const providers = new Set<Provider>();

/**
 * Adds rectangles that no DOM element stands for (what a canvas draws). A rectangle is listed as given, so the provider
 * clips it. Returns the function that takes the provider away.
 */
export function provide(provider: Provider): () => void {
  providers.add(provider);
  return () => providers.delete(provider);
}

/**
 * Where everything with a name is on the screen: elements with a `data-geo` attribute and what `provide` adds. What is
 * clipped away, hidden or covered at every probed point is absent. A partly covered element is listed by a small
 * rectangle on a point where a click reaches it. `data-geo-area` marks areas that are listed whatever lies on top.
 */
export function geometry(): Record<string, Rectangle> {
  const table: Record<string, Rectangle> = {};
  const clips: Clips = new Map();
  for (const element of document.querySelectorAll<HTMLElement | SVGElement>("[data-geo]")) {
    const name = element.getAttribute("data-geo");
    const visible = visibleRectangle(element, clips);
    const found = visible && (element.hasAttribute("data-geo-area") ? visible : reachable(element, visible));
    if (name && found) table[name] = found.map(tidy) as Rectangle;
  }
  for (const provider of providers) {
    for (const [name, rectangle] of provider()) table[name] = rectangle.map(tidy) as Rectangle;
  }
  return table;
}

/** The part two rectangles share, or null when they share none. */
export function intersect(one: Rectangle, other: Rectangle): Rectangle | null {
  const x = Math.max(one[0], other[0]);
  const y = Math.max(one[1], other[1]);
  const width = Math.min(one[0] + one[2], other[0] + other[2]) - x;
  const height = Math.min(one[1] + one[3], other[1] + other[3]) - y;
  return width > 0 && height > 0 ? [x, y, width, height] : null;
}

/** The points of a rectangle that are probed for being reachable, its middle first. */
export function probes([x, y, width, height]: Rectangle): [number, number][] {
  const shares = [0.5, 0.25, 0.75, 0.1, 0.9];
  return shares.flatMap((down) => shares.map((across): [number, number] => [x + width * across, y + height * down]));
}

/** The part of an element that its scrolling ancestors and the viewport let show. */
export function visibleRectangle(element: Element, clips: Clips = new Map()): Rectangle | null {
  const clip = clipOf(element.parentElement, clips);
  return clip && intersect(box(element), clip);
}

/** What each ancestor lets show of its children, remembered while one table is made. */
type Clips = Map<Element, Rectangle | null>;

function clipOf(parent: Element | null, clips: Clips): Rectangle | null {
  if (!parent) return [0, 0, innerWidth, innerHeight];
  const known = clips.get(parent);
  if (known !== undefined) return known;
  const outer = clipOf(parent.parentElement, clips);
  const { overflowX, overflowY } = getComputedStyle(parent);
  const isClipping = overflowX !== "visible" || overflowY !== "visible";
  const clip = outer && isClipping ? intersect(outer, box(parent)) : outer;
  clips.set(parent, clip);
  return clip;
}

function reachable(element: Element, visible: Rectangle): Rectangle | null {
  const [middle, ...others] = probes(visible);
  if (middle && hits(element, middle)) return visible;
  const point = others.find((other) => hits(element, other));
  return point ? intersect([point[0] - 1, point[1] - 1, 2, 2], visible) : null;
}

function hits(element: Element, [x, y]: [number, number]): boolean {
  const top = document.elementFromPoint(x, y);
  return top !== null && element.contains(top);
}

function box(element: Element): Rectangle {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left, top, width, height];
}

function tidy(value: number): number {
  return Math.round(value * 100) / 100;
}
