import { useCallback, useId, useRef, useState, type KeyboardEvent } from "react";
import { Popup, type Anchor } from "./Popup";

interface DropdownProps {
  label: string;
  value: string;
  options: readonly string[];
  geo?: string;
  /** The dropdown has no visible label. */
  bare?: boolean;
  /** Where the list opens: above the field where something below must stay in sight. */
  side?: "below" | "above";
  onPick: (value: string) => void;
}

/** A choice among a few options, drawn by the page itself so that it shows on every screen. */
export function Dropdown({ label, value, options, geo, bare, side = "below", onPick }: DropdownProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<Anchor | null>(null);
  const [active, setActive] = useState(0);
  const close = useCallback(() => setAnchor(null), []);

  function open(): void {
    setActive(Math.max(0, options.indexOf(value)));
    setAnchor(button.current!.getBoundingClientRect());
  }

  function pick(option: string | undefined): void {
    close();
    if (option !== undefined && option !== value) onPick(option);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!anchor) {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      return open();
    }
    if (event.key === "Tab") return close();
    event.preventDefault();
    if (event.key === "Escape") close();
    else if (event.key === "Enter" || event.key === " ") pick(options[active]);
    else setActive(nextOption(options, active, event.key));
  }

  return (
    <div className="field">
      {!bare && <span className="field-label">{label}</span>}
      <button
        ref={button}
        type="button"
        role="combobox"
        className="input dropdown"
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={anchor !== null}
        aria-controls={id}
        aria-activedescendant={anchor ? `${id}-${active}` : undefined}
        data-geo={geo}
        data-popup={anchor ? "" : undefined}
        onClick={() => (anchor ? close() : open())}
        onBlur={close}
        onKeyDown={onKeyDown}
      >
        <span className="dropdown-value">{value}</span>
        <svg className="dropdown-mark" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
          <path d="M2.5 4.5 6 8l3.5-3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
        </svg>
      </button>
      {anchor && (
        <Popup anchor={anchor} side={side} width={anchor.right - anchor.left} onAway={close}>
          <ul id={id} className="options" role="listbox" aria-label={label}>
            {options.map((option, index) => (
              <li
                key={option}
                id={`${id}-${index}`}
                role="option"
                aria-selected={option === value}
                className={`option ${index === active ? "option-active" : ""}`}
                data-geo={geo && `${geo}/option/${index}`}
                onPointerDown={(event) => event.preventDefault()}
                onPointerEnter={() => setActive(index)}
                onClick={() => pick(option)}
              >
                {option}
              </li>
            ))}
          </ul>
        </Popup>
      )}
    </div>
  );
}

/** The option a key leads to from the active one: arrows, Home, End, or the next that begins with the letter. */
export function nextOption(options: readonly string[], active: number, key: string): number {
  const last = options.length - 1;
  if (key === "ArrowDown") return Math.min(active + 1, last);
  if (key === "ArrowUp") return Math.max(active - 1, 0);
  if (key === "Home") return 0;
  if (key === "End") return last;
  if (key.length !== 1) return active;
  const order = options.map((_, step) => (active + 1 + step) % options.length);
  return order.find((index) => options[index]!.toLowerCase().startsWith(key.toLowerCase())) ?? active;
}
