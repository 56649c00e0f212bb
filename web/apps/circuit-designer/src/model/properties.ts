import type { Setting } from "./catalogue";
import type { SettingValue } from "./document";
import { editableValue, formatValue, parseValue } from "./values";

/** The settings of a part as a dialog holds them: numbers are texts until they are applied. */
export type Draft = Readonly<Record<string, SettingValue>>;

/** The draft to begin with. */
export function draftOf(settings: readonly Setting[], values: Readonly<Record<string, SettingValue>>): Draft {
  return Object.fromEntries(
    settings.map((setting) => {
      const value = values[setting.key] ?? setting.default;
      return [setting.key, setting.type === "number" ? editableValue(Number(value), setting.unit ?? "") : value];
    }),
  );
}

/** What is wrong with what stands in a field, as a sentence, or null. */
export function problemOf(setting: Setting, value: SettingValue | undefined): string | null {
  if (setting.type !== "number") {
    return null;
  }
  const unit = setting.unit ?? "";
  const number = parseValue(String(value ?? ""), unit);
  if (number === null || !Number.isFinite(number)) {
    return unit === "" ? "Enter a number such as 100 or 2.2k." : `Enter a value such as ${example(unit)}.`;
  }
  if (setting.min !== undefined && number < setting.min) return `The least is ${formatValue(setting.min, unit)}.`;
  if (setting.max !== undefined && number > setting.max) return `The most is ${formatValue(setting.max, unit)}.`;
  return null;
}

/** The settings a draft stands for, or null when one of its values is wrong. */
export function readDraft(settings: readonly Setting[], draft: Draft): Record<string, SettingValue> | null {
  if (settings.some((setting) => problemOf(setting, draft[setting.key]) !== null)) {
    return null;
  }
  return Object.fromEntries(
    settings.map((setting) => {
      const value = draft[setting.key] ?? setting.default;
      return [
        setting.key,
        setting.type === "number" ? (parseValue(String(value), setting.unit ?? "") ?? setting.default) : value,
      ];
    }),
  );
}

function example(unit: string): string {
  const examples: Readonly<Record<string, string>> = {
    Ω: "2.2k or 4.7 kΩ",
    F: "100n or 10 µF",
    H: "100m or 10 mH",
    Hz: "50 or 10k",
    V: "5 or 1 mV",
  };
  return examples[unit] ?? `5 or 2.5 ${unit}`;
}
