/** The colours of the drawing area. The read-out's ink and paper are fixed, so that its text always looks the same. */
export const COLOURS = {
  paper: "#fbfcfd",
  dot: "#ccd5df",
  ink: "#1f2a37",
  body: "#ffffff",
  label: "#1f2a37",
  value: "#5b6776",
  pinName: "#4b5768",
  select: "#2563eb",
  selectFill: "#dbe7fd",
  hover: "#eaf1fb",
  hoverLine: "#93b4ee",
  snap: "#ea580c",
  panel: "#ffffff",
  panelLine: "#d4dae3",
  panelHead: "#f3f5f8",
  faint: "#8a94a3",
  readout: "#111827",
  readoutPaper: "#ffffff",
  trace: "#15803d",
  dock: "#eef1f5",
  gridLine: "#e6eaf0",
  axis: "#c3ccd8",
  high: "#15a34a",
  low: "#5f7f9f",
  lowFill: "#dfe7ef",
  negative: "#d0342c",
  open: "#dc2626",
  openFill: "#fff1f1",
  unknown: "#394656",
} as const;

/** The colours of the scopes' traces and of the marks at the places they look at. */
export const PROBE_COLOURS = ["#0f7b3f", "#7c3aed", "#c2410c", "#0369a1"] as const;

type Rgb = readonly [number, number, number];

const HIGH: Rgb = [0x10, 0x9a, 0x43];
const LOW: Rgb = [0x5f, 0x7f, 0x9f];
const NEGATIVE: Rgb = [0xd0, 0x34, 0x2c];

/** The voltage from which on the colour does not get stronger. */
const FULL = 5;
const SHADES = 16;

/** The colour of a wire at this voltage: grey-blue at nought, green above, red below. */
export function voltageColour(volts: number | undefined): string {
  if (volts === undefined || !Number.isFinite(volts)) {
    return COLOURS.unknown;
  }
  const share = Math.round(Math.min(1, Math.abs(volts) / FULL) * SHADES) / SHADES;
  const [r, g, b] = mixed(LOW, volts < 0 ? NEGATIVE : HIGH, share);
  return `rgb(${r},${g},${b})`;
}

function mixed(a: Rgb, b: Rgb, share: number): Rgb {
  const at = (index: 0 | 1 | 2) => Math.round(a[index] + (b[index] - a[index]) * share);
  return [at(0), at(1), at(2)];
}
