import { Dialog } from "@quintain/kit";
import { useState } from "react";
import { kindOf } from "../../model/catalogue";
import type { Workflow } from "../../model/document";
import { dryRun, type Row } from "../../preview/run";
import { KindIcon } from "../KindIcon";
import { ItemTable } from "./ItemTable";

const STATUS = { done: "Done", "not reached": "Not reached", problem: "Problem" } as const;

/** A dry run of the workflow on sample data: what each node received and sent on. */
export function PreviewDialog({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  const rows = dryRun(workflow);
  const [shown, setShown] = useState(rows.findLastIndex(({ status }) => status === "done"));
  const current = rows[shown];
  return (
    <Dialog title="Run preview" cancel="Close" width={760} onCancel={onClose}>
      <p className="dialog-lead">
        A dry run of <strong>{workflow.name}</strong> on sample data. Nothing is sent, stored or changed.
      </p>
      {rows.length === 0 && <p>The workflow has no nodes yet.</p>}
      {rows.length > 0 && (
        <div className="preview-rows" data-geo="dialog/rows" data-geo-area>
          <table className="table">
            <thead>
              <tr>
                <th>Node</th>
                <th>Status</th>
                <th className="table-number">In</th>
                <th className="table-number">Out</th>
                <th>Remark</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <PreviewRow key={row.node.id} row={row} isShown={index === shown} onShow={() => setShown(index)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {current && <ItemTable name={current.node.name} items={current.items} />}
    </Dialog>
  );
}

function PreviewRow({ row, isShown, onShow }: { row: Row; isShown: boolean; onShow: () => void }) {
  const { node, status, received, items, words } = row;
  return (
    <tr
      className={isShown ? "table-shown" : ""}
      aria-selected={isShown}
      data-geo={`dialog/row/${node.id}`}
      onClick={onShow}
    >
      <td>
        <span className="preview-node">
          <KindIcon kind={node.kind} size={12} />
          {node.name === kindOf(node.kind).name ? node.name : `${node.name} (${kindOf(node.kind).name})`}
        </span>
      </td>
      <td>
        <span className={`status status-${status.replace(" ", "-")}`}>{STATUS[status]}</span>
      </td>
      <td className="table-number">{received}</td>
      <td className="table-number">{items.length}</td>
      <td className="table-words">{words}</td>
    </tr>
  );
}
