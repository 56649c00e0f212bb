/** Powers of ten by the prefixes a person may write. */
const PREFIXES: Readonly<Record<string, number>> = {
  "": 0,
  f: -15,
  p: -12,
  n: -9,
  u: -6,
  µ: -6,
  μ: -6,
  m: -3,
  k: 3,
  K: 3,
  M: 6,
  meg: 6,
  Meg: 6,
  G: 9,
  T: 12,
};

/** The prefixes values are shown with. */
const SHOWN: readonly (readonly [number, string])[] = [
  [12, "T"],
  [9, "G"],
  [6, "M"],
  [3, "k"],
  [0, ""],
  [-3, "m"],
  [-6, "µ"],
  [-9, "n"],
  [-12, "p"],
];

/** Other ways to write a unit. */
const UNIT_WORDS: Readonly<Record<string, readonly string[]>> = {
  Ω: ["Ω", "Ω", "ohm", "ohms", "Ohm", "Ohms", "R"],
  V: ["V", "v", "volt", "volts"],
  A: ["A", "amp", "amps"],
  F: ["F", "farad", "farads"],
  H: ["H", "henry", "henries"],
  Hz: ["Hz", "hz", "HZ"],
  "°": ["°", "deg", "degrees"],
  "%": ["%", "percent"],
};

const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*)$/u;

/** Values below this are noise and shown as nought. */
const NOUGHT = 1e-13;

/** Reads a value such as `2.2k`, `100n` or `4.7 kΩ`; null when it is not a value in this unit. */
export function parseValue(text: string, unit: string): number | null {
  const match = NUMBER.exec(text.trim().replace(/^\u2212/u, "-"));
  if (match === null) {
    return null;
  }
  const exponent = exponentOf(match[2] ?? "", unit);
  if (exponent === null) {
    return null;
  }
  // Shifting the exponent in the text keeps 4.7k at exactly 4700.
  return shifted(match[1] ?? "", exponent);
}

/** Writes a value with up to four significant digits, an SI prefix and its unit: `191.4 mV`. */
export function formatValue(value: number, unit: string): string {
  if (!Number.isFinite(value)) {
    return "...";
  }
  const [digits, prefix] = engineering(value, unit);
  return `${digits} ${prefix}${unit}`.trimEnd();
}

/** Writes a value as a person would type it into a dialog, with all its digits: `2.2k`. */
export function editableValue(value: number, unit: string): string {
  if (value === 0 || hasNoPrefix(unit)) {
    return String(value);
  }
  const found = SHOWN.find(([exponent]) => Math.abs(value) >= 10 ** exponent * 0.999999);
  const [exponent, prefix] = found ?? [-12, "p"];
  const mantissa = Number((value / 10 ** exponent).toPrecision(12));
  return `${mantissa}${prefix === "µ" ? "u" : prefix}`;
}

function exponentOf(rest: string, unit: string): number | null {
  const words = UNIT_WORDS[unit] ?? [unit];
  const endings = [...words.filter((word) => word !== "" && rest.endsWith(word)), ""];
  for (const ending of endings) {
    const prefix = rest.slice(0, rest.length - ending.length).trim();
    const exponent = prefix === "" || !hasNoPrefix(unit) ? PREFIXES[prefix] : undefined;
    if (exponent !== undefined) {
      return exponent;
    }
  }
  return null;
}

function shifted(number: string, exponent: number): number {
  const [mantissa, own] = number.toLowerCase().split("e");
  return Number(`${mantissa}e${Number(own ?? 0) + exponent}`);
}

function hasNoPrefix(unit: string): boolean {
  return unit === "%" || unit === "°";
}

function engineering(value: number, unit: string): [string, string] {
  if (Math.abs(value) < NOUGHT) {
    return ["0", ""];
  }
  const rounded = Number(value.toPrecision(4));
  if (hasNoPrefix(unit)) {
    return [String(rounded), ""];
  }
  const [exponent, prefix] = SHOWN.find(([power]) => Math.abs(rounded) >= 10 ** power) ?? [-12, "p"];
  return [String(Number((rounded / 10 ** exponent).toPrecision(4))), prefix];
}
