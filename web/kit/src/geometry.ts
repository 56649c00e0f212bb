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
  for (const element of document.querySelectorAll<HTMLElement | SVGElement>("[data-geo]")) {
    const name = element.getAttribute("data-geo");
    const visible = visibleRectangle(element);
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
export function visibleRectangle(element: Element): Rectangle | null {
  let visible: Rectangle | null = intersect(box(element), [0, 0, innerWidth, innerHeight]);
  for (let parent = element.parentElement; visible && parent; parent = parent.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(parent);
    if (overflowX !== "visible" || overflowY !== "visible") visible = intersect(visible, box(parent));
  }
  return visible;
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
