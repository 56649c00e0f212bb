/** Milliseconds since the page opened, by the clock the driver steps. */
export function now(): number {
  return performance.now();
}

/** Calls `draw` with the time of every frame until the returned function is called. */
export function everyFrame(draw: (nowMs: number) => void): () => void {
  let handle = requestAnimationFrame(frame);
  function frame(nowMs: number): void {
    handle = requestAnimationFrame(frame);
    draw(nowMs);
  }
  return () => cancelAnimationFrame(handle);
}
