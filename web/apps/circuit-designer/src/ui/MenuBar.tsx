import { Menu, type MenuItem } from "@quintain/kit";
import { CircuitBoard } from "lucide-react";
import { useState } from "react";
import type { Editor } from "../editor/editor";
import { drawMenu, editMenu, fileMenu, scopesMenu } from "../editor/menus";
import { SearchBox } from "./SearchBox";

const MENUS: readonly { name: string; items: (editor: Editor) => MenuItem[] }[] = [
  { name: "File", items: fileMenu },
  { name: "Edit", items: editMenu },
  { name: "Draw", items: drawMenu },
  { name: "Scopes", items: scopesMenu },
];

interface Open {
  name: string;
  items: MenuItem[];
  anchor: DOMRect;
}

/** The top bar: the app's name, its menus and the search for components. */
export function MenuBar({ editor }: { editor: Editor }) {
  const [open, setOpen] = useState<Open | null>(null);

  function show(name: string, button: Element): void {
    const items = MENUS.find((menu) => menu.name === name)?.items(editor) ?? [];
    setOpen({ name, items, anchor: button.getBoundingClientRect() });
  }

  return (
    <header className="menu-bar">
      <span className="brand">
        <CircuitBoard size={18} aria-hidden="true" />
        Circuit Designer
      </span>
      <nav className="menus" aria-label="Menus">
        {MENUS.map(({ name }) => (
          <button
            key={name}
            type="button"
            className={`menu-title ${open?.name === name ? "menu-title-open" : ""}`}
            aria-haspopup="menu"
            aria-expanded={open?.name === name}
            data-geo={name.toLowerCase()}
            data-popup={open === null ? undefined : ""}
            onClick={(event) => (open?.name === name ? setOpen(null) : show(name, event.currentTarget))}
            onPointerEnter={(event) => open !== null && open.name !== name && show(name, event.currentTarget)}
          >
            {name}
          </button>
        ))}
      </nav>
      <SearchBox editor={editor} />
      {open !== null && <Menu key={open.name} items={open.items} anchor={open.anchor} onClose={() => setOpen(null)} />}
    </header>
  );
}
