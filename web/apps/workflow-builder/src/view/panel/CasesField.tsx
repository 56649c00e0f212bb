import { Button, TextField } from "@quintain/kit";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import type { Case } from "../../model/catalogue";
import { casesOf, type Node } from "../../model/document";
import { addCase, caseLabelProblem, removeCase, renameCase, setCaseExpression } from "../../model/edits";
import { store } from "../../store";
import { useInView } from "./in-view";

/** The cases of a switch: each has a label, which names its output, and may have an expression. */
export function CasesField({ node, label }: { node: Node; label: string }) {
  const cases = casesOf(node);
  const [added, setAdded] = useState(-1);

  function add(): void {
    store.change("Add case", (draft) => addCase(draft, node.id));
    setAdded(cases.length);
  }

  return (
    <fieldset className="group">
      <legend className="field-label">{label}</legend>
      {cases.map((entry, index) => (
        <CaseRow key={index} node={node} cases={cases} entry={entry} index={index} focused={index === added} />
      ))}
      <Button geo="panel/case/add" onPress={add}>
        <Plus size={15} aria-hidden="true" />
        Add case
      </Button>
    </fieldset>
  );
}

interface CaseRowProps {
  node: Node;
  cases: Case[];
  entry: Case;
  index: number;
  focused: boolean;
}

function CaseRow({ node, cases, entry, index, focused }: CaseRowProps) {
  const { id } = node;
  const row = useInView(focused);
  const geo = `panel/case/${index}`;

  function rename(label: string): string | null {
    const problem = caseLabelProblem(cases, index, label);
    if (problem) return problem;
    store.change("Rename case", (draft) => renameCase(draft, id, index, label), { merge: `${id}/${geo}/label` });
    return null;
  }

  function match(expr: string): void {
    const merge = `${id}/${geo}/expr`;
    store.change("Change case", (draft) => setCaseExpression(draft, id, index, expr), { merge });
  }

  return (
    <div className="group-row" ref={row} role="group" aria-label={`Case ${index + 1}`}>
      <div className="group-fields">
        <TextField
          bare
          label={`Label of case ${index + 1}`}
          geo={`${geo}/label`}
          value={entry.label}
          placeholder="Label"
          focused={focused}
          onType={rename}
          onDone={store.seal}
        />
        <TextField
          bare
          mono
          label={`Expression of case ${index + 1}`}
          geo={`${geo}/expr`}
          value={entry.expr ?? ""}
          placeholder="Expression (optional)"
          lines={1}
          enter="done"
          onType={match}
          onDone={store.seal}
        />
      </div>
      <Button
        look="ghost"
        className="group-remove"
        label={`Remove case ${entry.label}`}
        geo={`${geo}/remove`}
        onPress={() => store.change("Remove case", (draft) => removeCase(draft, id, index))}
      >
        <X size={15} aria-hidden="true" />
      </Button>
    </div>
  );
}
