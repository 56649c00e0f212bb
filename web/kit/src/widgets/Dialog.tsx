import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { Button } from "./Button";

interface DialogProps {
  title: string;
  /** The words on the button that agrees; without them there is only a button to close. */
  ok?: string;
  cancel?: string;
  look?: "primary" | "danger";
  disabled?: boolean;
  width?: number;
  onOk?: () => void;
  onCancel: () => void;
  children: ReactNode;
}

const FOCUSABLE = "input, textarea, button, [tabindex]";

/** A window in the middle of the page that must be answered first. Enter agrees, Escape cancels. */
export function Dialog(props: DialogProps) {
  const { title, ok, cancel = "Cancel", look = "primary", disabled = false, width = 420, onOk, onCancel } = props;
  const frame = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const inside = frame.current!;
    if (!inside.contains(before)) (inside.querySelector<HTMLElement>("input, textarea") ?? inside).focus();
    return () => before?.focus();
  }, []);

  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "Tab") return keepFocusInside(event, frame.current!);
    if (event.defaultPrevented && event.key === "Escape") return;
    if (event.key === "Escape") onCancel();
    const isField = (event.target as HTMLElement).tagName === "INPUT" || event.target === frame.current;
    if (event.key === "Enter" && isField && !disabled) (onOk ?? onCancel)();
  }

  return createPortal(
    <div className="backdrop" data-modal>
      <div
        ref={frame}
        className="dialog"
        role="dialog"
        aria-modal="true"
        aria-label={title}
        tabIndex={-1}
        style={{ width }}
        onKeyDown={onKeyDown}
      >
        <h2 className="dialog-title">{title}</h2>
        <div className="dialog-body">{props.children}</div>
        <div className="dialog-buttons">
          <Button geo="dialog/cancel" onPress={onCancel}>
            {cancel}
          </Button>
          {ok && onOk && (
            <Button geo="dialog/ok" look={look} disabled={disabled} onPress={onOk}>
              {ok}
            </Button>
          )}
        </div>
      </div>
    </div>,
    document.body,
  );
}

function keepFocusInside(event: KeyboardEvent, frame: HTMLElement): void {
  const stops = [...frame.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((stop) => !stop.hasAttribute("disabled"));
  const edge = event.shiftKey ? stops[0] : stops.at(-1);
  if (document.activeElement !== edge && document.activeElement !== frame) return;
  event.preventDefault();
  (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
}
