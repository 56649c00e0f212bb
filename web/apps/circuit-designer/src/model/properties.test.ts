import { expect, test } from "vitest";
import { kindOf } from "./catalogue";
import { draftOf, problemOf, readDraft } from "./properties";

const { settings } = kindOf({ kind: "capacitor" });
const clock = kindOf({ kind: "clock" }).settings;

test("a part's settings become texts and come back", () => {
  const values = { label: "C1", capacitance: 1e-7, initial_voltage: 0.1 };
  const draft = draftOf(settings, values);
  expect(draft).toEqual({ label: "C1", capacitance: "100n", initial_voltage: "100m" });
  expect(readDraft(settings, draft)).toEqual(values);
});

test("one wrong value keeps everything from being taken", () => {
  expect(readDraft(settings, { label: "C1", capacitance: "lots", initial_voltage: "1" })).toBeNull();
});

test("what is wrong is told", () => {
  const told = (key: string, text: string) =>
    problemOf(
      clock.find((setting) => setting.key === key)!,
      text,
    );
  expect(told("frequency", "1 kHz")).toBeNull();
  expect(told("frequency", "fast")).toBe("Enter a value such as 50 or 10k.");
  expect(told("duty", "100")).toBe("The most is 99 %.");
  expect(told("duty", "0")).toBe("The least is 1 %.");
  expect(told("label", "")).toBeNull();
});
