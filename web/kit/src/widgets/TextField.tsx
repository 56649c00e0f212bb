import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";

export interface TextFieldProps {
  label: string;
  value: string;
  /** Called on every keystroke. Return a sentence to refuse the text: the field keeps it and shows the sentence. */
  onType: (text: string) => string | null | void;
  /** Called when the field is left or Enter is pressed; apps seal the undo step here. */
  onDone?: () => void;
  /** Called when Enter ends the entry, after `onDone`. */
  onEnter?: () => void;
  geo?: string;
  placeholder?: string;
  /** The field has no visible label; the name stays for people who cannot see it. */
  bare?: boolean;
  /** At least this many lines; the field grows with its text. */
  lines?: number;
  /** Whether Enter starts a new line in a field of several lines or ends the entry, as it does in one of one line. */
  enter?: "newline" | "done";
  /** Text in the font of expressions. */
  mono?: boolean;
  /** The field has the focus, with its text selected, as soon as it shows. */
  focused?: boolean;
  /** All of the text is selected when the field gets the focus, so that typing replaces it. */
  selecting?: boolean;
  /** What stands at the right end of the field, a unit for instance. */
  trailing?: ReactNode;
}

const LINE_PX = 19;
const PADDING_PX = 13;

/**
 * A field of text. The value follows every keystroke; text that is refused stays in the field until it is left, then
 * the value comes back.
 */
export function TextField(props: TextFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [refused, setRefused] = useState<{ text: string; reason: string } | null>(null);

  useLayoutEffect(() => {
    if (!props.focused) return;
    input.current?.focus();
    input.current?.select();
  }, [props.focused]);

  /** A press puts the caret where the pointer is, which would end the selection that came with the focus. */
  function onMouseDown(event: MouseEvent): void {
    if (!props.selecting || document.activeElement === input.current) return;
    event.preventDefault();
    input.current?.focus();
  }

  function type(text: string): void {
    const reason = props.onType(text);
    setRefused(reason ? { text, reason } : null);
  }

  function leave(): void {
    setRefused(null);
    props.onDone?.();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || (props.lines && props.enter !== "done")) return;
    event.preventDefault();
    props.onDone?.();
    props.onEnter?.();
  }

  const Tag = props.lines ? "textarea" : "input";
  return (
    <div className={`field ${props.bare ? "field-bare" : ""}`}>
      {!props.bare && (
        <label className="field-label" htmlFor={id}>
          {props.label}
        </label>
      )}
      <div className="field-line">
        <Tag
          ref={input}
          id={id}
          className={`input ${props.mono ? "input-mono" : ""}`}
          aria-label={props.bare ? props.label : undefined}
          aria-invalid={refused ? true : undefined}
          value={refused?.text ?? props.value}
          placeholder={props.placeholder}
          style={props.lines ? { minHeight: props.lines * LINE_PX + PADDING_PX } : undefined}
          data-geo={props.geo}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => type(event.currentTarget.value)}
          onMouseDown={onMouseDown}
          onFocus={() => props.selecting && input.current?.select()}
          onBlur={leave}
          onKeyDown={onKeyDown}
        />
        {props.trailing}
      </div>
      {refused && (
        <p className="field-problem" role="alert">
          {refused.reason}
        </p>
      )}
    </div>
  );
}
