/** The least and the greatest voltage of a trace. */
export type Bounds = readonly [least: number, most: number];

/** How voltages are laid over the lines of a plot's grid. */
export interface Scale {
  /** The voltage of the lowest line, a multiple of the step. */
  bottom: number;
  /** The volts from one line to the next: 1, 2 or 5 of some power of ten. */
  step: number;
  /** The line whose voltage is written: that of nought if it is on the plot, else the middle one. */
  line: number;
}

/** The finest scale on which a trace fits between the edges of a plot with some room above it. */
export function scaleOf([least, most]: Bounds, lines: number): Scale {
  const height = Math.max(most - least, 1e-6, Math.abs(most + least) * 1e-4);
  for (let power = Math.floor(Math.log10(height / lines)); ; power += 1) {
    for (const digit of [1, 2, 5]) {
      const step = digit * 10 ** power;
      const first = Math.floor(least / step - ROOM);
      const last = Math.ceil(most / step + ROOM);
      if (last - first <= lines) {
        // The trace lies in the middle of the lines that are left over.
        const lowest = first - Math.floor((lines - (last - first)) / 2);
        const isZeroIn = lowest < 0 && -lowest < lines;
        return { bottom: lowest * step, step, line: lowest === 0 ? 0 : isZeroIn ? -lowest : lines / 2 };
      }
    }
  }
}

/** The share of a step that is kept free above and below a trace. */
const ROOM = 0.3;
