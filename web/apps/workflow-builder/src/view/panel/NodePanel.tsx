import { TextField } from "@quintain/kit";
import { kindOf } from "../../model/catalogue";
import type { Node } from "../../model/document";
import { renameNode } from "../../model/edits";
import { store } from "../../store";
import { KindIcon } from "../KindIcon";
import { DeleteFooter } from "./DeleteFooter";
import { JsonView } from "./JsonView";
import { SettingField } from "./SettingField";

/** The properties of a node. */
export function NodePanel({ node, onDelete }: { node: Node; onDelete: () => void }) {
  const kind = kindOf(node.kind);
  return (
    <>
      <h2 className="side-title">Node properties</h2>
      <div className="panel-body" data-geo="panel/scroll" data-geo-area>
        <div className="panel-kind">
          <KindIcon kind={node.kind} size={18} />
          <div>
            <div className="panel-kind-name">{kind.name}</div>
            <div className="panel-about">{kind.about}</div>
          </div>
        </div>
        <TextField
          label="Name"
          geo="panel/name"
          value={node.name}
          onType={(name) => rename(node.id, name)}
          onDone={store.seal}
        />
        {kind.settings.map((setting) => (
          <SettingField key={setting.key} node={node} setting={setting} />
        ))}
        <JsonView node={node} />
      </div>
      <DeleteFooter words="Delete node" onDelete={onDelete} />
    </>
  );
}

function rename(id: string, name: string): string | null {
  if (name.trim() === "") return "A node needs a name.";
  store.change("Rename node", (draft) => renameNode(draft, id, name), { merge: `${id}/name` });
  return null;
}
