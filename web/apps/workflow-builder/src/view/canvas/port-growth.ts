/** How much further a port is drawn on every side at the smaller scales, so that it stays easy to see. */
export function portGrowth(zoom: number): number {
  if (zoom <= 0.5) return 4;
  if (zoom <= 0.6) return 3;
  return zoom <= 0.75 ? 2 : 0;
}
