import { isDriven, tell } from "./bridge";
import { hold } from "./pending";

const waiting = new Map<number, (body: unknown) => void>();
let asked = 0;

/**
 * Asks the driver a question. Until the answer comes the page counts as busy, unless the question is `quiet`.
 * Without a driver the answer never comes and nothing is held.
 */
export function ask<T>(what: string, body: unknown, { quiet = false }: { quiet?: boolean } = {}): Promise<T> {
  const id = ++asked;
  const release = quiet || !isDriven() ? () => {} : hold();
  return new Promise((resolve) => {
    waiting.set(id, (answered) => {
      release();
      resolve(answered as T);
    });
    tell({ type: "ask", id, what, body });
  });
}

/** Hands the driver's answer to whoever asked; an answer nobody waits for is dropped. */
export function answer(id: number, body: unknown): void {
  const settle = waiting.get(id);
  waiting.delete(id);
  settle?.(body);
}
