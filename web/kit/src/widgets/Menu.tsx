import { useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { nextItem } from "./menu-keys";
import { Popup, type Anchor, type Side } from "./Popup";

/** One line of a menu: it does something, or it opens a menu of its own. */
export interface MenuItem {
  label: string;
  /** The keys that do the same, shown at the right. */
  keys?: string;
  disabled?: boolean;
  /** A line is drawn above the item. */
  divided?: boolean;
  /** The menu stays open when the item is picked, for several choices in a row. */
  stays?: boolean;
  onPick?: () => void;
  items?: readonly MenuItem[];
}

interface MenuProps {
  items: readonly MenuItem[];
  /** A point for a context menu, or the rectangle of the button that opened it. */
  anchor: Anchor;
  side?: Side;
  /** Names of the items in the geometry table begin with this; the path of labels follows. */
  geo?: string;
  onClose: () => void;
}

/** A menu with menus in it; pointer and arrow keys both work. It closes when something is picked or Escape pressed. */
export function Menu({ items, anchor, side = "below", geo = "menu", onClose }: MenuProps) {
  return (
    <Popup anchor={anchor} side={side} onAway={onClose}>
      <MenuList items={items} path={geo} onLeave={onClose} onClose={onClose} />
    </Popup>
  );
}

/** The anchor of a context menu at a point of the window. */
export function anchorAt(x: number, y: number): Anchor {
  return { left: x, top: y, right: x, bottom: y };
}

interface MenuListProps {
  items: readonly MenuItem[];
  path: string;
  onLeave: () => void;
  onClose: () => void;
}

function MenuList({ items, path, onLeave, onClose }: MenuListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState(-1);
  const [opened, setOpened] = useState<{ index: number; anchor: Anchor } | null>(null);
  useLayoutEffect(() => list.current?.focus(), []);

  function activate(index: number): void {
    const item = items[index];
    const row = list.current?.querySelectorAll("[role=menuitem]")[index];
    setActive(index);
    setOpened(item?.items && !item.disabled && row ? { index, anchor: row.getBoundingClientRect() } : null);
  }

  function pick(index: number): void {
    const item = items[index];
    if (!item || item.disabled) return;
    if (item.items) return activate(index);
    if (!item.stays) onClose();
    item.onPick?.();
  }

  function onKeyDown(event: KeyboardEvent): void {
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") onClose();
    else if (event.key === "ArrowLeft") onLeave();
    else if (event.key === "Enter" || event.key === " ") pick(active);
    else if (event.key === "ArrowRight") items[active]?.items && activate(active);
    else setActive(nextItem(items, active, event.key));
  }

  function leaveSubmenu(): void {
    setOpened(null);
    list.current?.focus();
  }

  const submenu = opened && items[opened.index];
  return (
    <ul ref={list} className="menu" role="menu" tabIndex={-1} onKeyDown={onKeyDown}>
      {items.map((item, index) => (
        <li
          key={item.label}
          role="menuitem"
          aria-disabled={item.disabled}
          aria-haspopup={item.items ? "menu" : undefined}
          aria-expanded={item.items ? opened?.index === index : undefined}
          className={`menu-item ${index === active ? "menu-item-active" : ""} ${item.divided ? "menu-item-divided" : ""}`}
          data-geo={`${path}/${item.label}`}
          onPointerEnter={() => activate(index)}
          onClick={() => pick(index)}
        >
          <span className="menu-label">{item.label}</span>
          {item.keys && <kbd className="menu-keys">{item.keys}</kbd>}
          {item.items && <MenuMark />}
        </li>
      ))}
      {opened && submenu?.items && (
        <Popup anchor={opened.anchor} side="beside" onAway={onClose}>
          <MenuList
            key={submenu.label}
            items={submenu.items}
            path={`${path}/${submenu.label}`}
            onLeave={leaveSubmenu}
            onClose={onClose}
          />
        </Popup>
      )}
    </ul>
  );
}

function MenuMark() {
  return (
    <svg className="menu-mark" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <path d="M4.5 2.5 8 6l-3.5 3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
