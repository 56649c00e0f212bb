import { Menu, anchorAt } from "@quintain/kit";
import { useEffect, useMemo } from "react";
import type { Editor } from "../editor/editor";
import { listenForKeys } from "../editor/keys";
import { Canvas } from "./Canvas";
import { ExportDialog, ImportDialog } from "./FileDialogs";
import { MenuBar } from "./MenuBar";
import { PropertiesDialog } from "./PropertiesDialog";
import { StatusBar } from "./StatusBar";
import { Toolbar } from "./Toolbar";
import { useEditor } from "./useEditor";

/** The whole window: bars above, canvas in the middle, status below, and what is open on top. */
export function App({ editor }: { editor: Editor }) {
  useEffect(() => listenForKeys(editor), [editor]);
  return (
    <div className="app">
      <MenuBar editor={editor} />
      <Toolbar editor={editor} />
      <Canvas editor={editor} />
      <StatusBar editor={editor} />
      <ContextMenu editor={editor} />
      <OpenDialog editor={editor} />
    </div>
  );
}

function ContextMenu({ editor }: { editor: Editor }) {
  const menu = useEditor(editor, (each) => each.state().menu);
  const anchor = useMemo(() => (menu === null ? null : anchorAt(menu.x, menu.y)), [menu]);
  if (menu === null || anchor === null) {
    return null;
  }
  const close = () => {
    if (editor.state().menu === menu) {
      editor.update({ menu: null });
    }
  };
  return (
    <Menu key={`${menu.x},${menu.y}`} items={menu.items} anchor={anchor} side={menu.side ?? "beside"} onClose={close} />
  );
}

function OpenDialog({ editor }: { editor: Editor }) {
  const dialog = useEditor(editor, (each) => each.state().dialog);
  switch (dialog?.type) {
    case "properties":
      return <PropertiesDialog key={dialog.part} editor={editor} id={dialog.part} />;
    case "import":
      return <ImportDialog editor={editor} />;
    case "export":
      return <ExportDialog editor={editor} />;
    default:
      return null;
  }
}
