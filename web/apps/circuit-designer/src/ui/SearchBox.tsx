import { Popup, type Anchor } from "@quintain/kit";
import { Search } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import type { Editor } from "../editor/editor";
import { searchKinds } from "../model/search";

/** A field that finds components by name; the chosen one hangs at the pointer. */
export function SearchBox({ editor }: { editor: Editor }) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [anchor, setAnchor] = useState<Anchor | null>(null);
  const [active, setActive] = useState(0);
  const found = searchKinds(text);

  function close(): void {
    setAnchor(null);
    setText("");
    setActive(0);
  }

  function open(): void {
    setAnchor(field.current!.getBoundingClientRect());
  }

  function pick(index: number): void {
    const kind = found[index]?.kind;
    close();
    field.current?.blur();
    if (kind !== undefined) editor.pickUp(kind);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Escape") close();
    else if (event.key === "Enter") pick(active);
    else if (event.key === "ArrowDown") setActive(Math.min(active + 1, found.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else return;
    event.preventDefault();
  }

  return (
    <div className="search" data-popup={anchor === null ? undefined : ""}>
      <Search className="search-icon" size={14} aria-hidden="true" />
      <input
        ref={field}
        className="input search-input"
        role="combobox"
        aria-label="Add component"
        aria-expanded={anchor !== null}
        placeholder="Add component"
        value={text}
        autoComplete="off"
        spellCheck={false}
        data-geo="search"
        onFocus={open}
        onClick={open}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
          open();
        }}
        onKeyDown={onKeyDown}
      />
      {anchor !== null && (
        <Popup anchor={anchor} side="below" width={anchor.right - anchor.left} onAway={close}>
          <ul className="options search-options" role="listbox" aria-label="Components">
            {found.map((kind, index) => (
              <li
                key={kind.kind}
                role="option"
                aria-selected={index === active}
                className={`option search-option ${index === active ? "option-active" : ""}`}
                data-geo={`search/${index}`}
                onPointerDown={(event) => event.preventDefault()}
                onPointerEnter={() => setActive(index)}
                onClick={() => pick(index)}
              >
                <span className="search-name">{kind.name}</span>
                <span className="search-menu">{kind.menu}</span>
              </li>
            ))}
            {found.length === 0 && <li className="search-none">No component of this name</li>}
          </ul>
        </Popup>
      )}
    </div>
  );
}
