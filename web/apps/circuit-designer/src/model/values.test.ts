import { expect, test } from "vitest";
import { editableValue, formatValue, parseValue } from "./values";

test.each([
  ["2.2k", "Ω", 2200],
  ["4.7 kΩ", "Ω", 4700],
  ["4.7kohm", "Ω", 4700],
  ["10 k ohms", "Ω", 10000],
  ["1M", "Ω", 1e6],
  ["100n", "F", 1e-7],
  ["100 nF", "F", 1e-7],
  ["10u", "F", 1e-5],
  ["10 µF", "F", 1e-5],
  ["1 mV", "V", 1e-3],
  ["-3", "V", -3],
  ["-3.0 V", "V", -3],
  [".5", "V", 0.5],
  ["1e3", "Hz", 1000],
  ["10 kHz", "Hz", 10000],
  ["1m", "A", 1e-3],
  ["58 %", "%", 58],
  ["90 deg", "°", 90],
  ["100k", "", 100000],
])("%s in %s is %d", (text, unit, value) => {
  expect(parseValue(text, unit)).toBe(value);
});

test.each([
  ["", "V"],
  ["abc", "V"],
  ["1 kΩ", "V"],
  ["1..2", "V"],
  ["1,5", "V"],
  ["5 k%", "%"],
  ["0x10", "Ω"],
])("%s in %s is not a value", (text, unit) => {
  expect(parseValue(text, unit)).toBeNull();
});

test.each([
  [1.5, "V", "1.5 V"],
  [-1.5, "V", "-1.5 V"],
  [0, "V", "0 V"],
  [-0, "V", "0 V"],
  [6.81159, "V", "6.812 V"],
  [0.19142, "V", "191.4 mV"],
  [260.4167, "Hz", "260.4 Hz"],
  [1589.2, "Hz", "1.589 kHz"],
  [57.6, "%", "57.6 %"],
  [62.5, "Hz", "62.5 Hz"],
  [0.0012, "A", "1.2 mA"],
  [1e-5, "F", "10 µF"],
  [19e-9, "A", "19 nA"],
  [999.96, "V", "1 kV"],
  [0.99996, "V", "1 V"],
  [4700, "Ω", "4.7 kΩ"],
  [100, "", "100"],
  [1e5, "", "100 k"],
  [1e-17, "A", "0 A"],
  [Number.NaN, "V", "..."],
])("%d in %s is shown as %s", (value, unit, text) => {
  expect(formatValue(value, unit)).toBe(text);
});

test.each([
  [4700, "Ω", "4.7k"],
  [1e-7, "F", "100n"],
  [1e-5, "F", "10u"],
  [0.001, "V", "1m"],
  [0, "V", "0"],
  [-15, "V", "-15"],
  [50, "%", "50"],
  [123456, "Ω", "123.456k"],
])("%d in %s is edited as %s and read back", (value, unit, text) => {
  expect(editableValue(value, unit)).toBe(text);
  expect(parseValue(text, unit)).toBe(value);
});
