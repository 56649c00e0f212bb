/** A rectangle in CSS pixels of the viewport: left, top, width, height. */
export type Rectangle = [x: number, y: number, width: number, height: number];

/** What the page tells the driver. */
export type Message =
  | { type: "ready" }
  | { type: "document"; document: unknown }
  | { type: "pending"; count: number }
  | { type: "ask"; id: number; what: string; body: unknown }
  | { type: "file"; name: string; text: string };

/** What the driver puts before any script of the page, and what the kit adds to it for the driver to call. */
interface Host {
  quintain?: {
    opening?: { document: unknown; seed: number };
    answer?: (id: number, body: unknown) => void;
    geometry?: () => Record<string, Rectangle>;
  };
  quintainTell?: (text: string) => void;
}

const host = globalThis as Host;

/** The document and the seed the page opens with; `fallback` is used when a developer opens the page by hand. */
export function opening<D>(fallback: D): { document: D; seed: number } {
  const given = host.quintain?.opening;
  return given ? { document: given.document as D, seed: given.seed } : { document: fallback, seed: 0 };
}

/** Tells the driver something; without a driver nothing happens. */
export function tell(message: Message): void {
  host.quintainTell?.(JSON.stringify(message));
}

/** Gives the driver the functions it calls in the page. */
export function offer(functions: {
  answer: (id: number, body: unknown) => void;
  geometry: () => Record<string, Rectangle>;
}): void {
  host.quintain = Object.assign(host.quintain ?? {}, functions);
}

/** Whether a driver listens; it does not when a developer opens the page by hand. */
export function isDriven(): boolean {
  return host.quintainTell !== undefined;
}
