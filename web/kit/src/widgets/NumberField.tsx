import { useState } from "react";
import { TextField, type TextFieldProps } from "./TextField";

type NumberFieldProps = Omit<TextFieldProps, "value" | "onType"> & {
  value: number;
  onType: (value: number) => void;
};

/** A field for a number. What is not a number yet stays in the field and leaves the value as it was. */
export function NumberField({ value, onType, onDone, ...rest }: NumberFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);

  function type(text: string): string | null {
    const number = parseNumber(text);
    setTyped(text);
    if (number === null) return "Enter a number.";
    onType(number);
    return null;
  }

  function done(): void {
    setTyped(null);
    onDone?.();
  }

  const isCurrent = typed !== null && parseNumber(typed) === value;
  return <TextField {...rest} value={isCurrent ? typed : String(value)} onType={type} onDone={done} />;
}

/** The number a text stands for, or null when it stands for none. */
export function parseNumber(text: string): number | null {
  const trimmed = text.trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return null;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : null;
}
