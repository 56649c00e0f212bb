import { Button, TextField } from "@quintain/kit";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { kindOf } from "../../model/catalogue";
import type { Node } from "../../model/document";
import { setAll } from "../../model/edits";
import { readSettings } from "../../model/transfer";
import { store } from "../../store";

/** The settings of a node as JSON, for those who prefer to write them. Nothing changes until Apply is pressed. */
export function JsonView({ node }: { node: Node }) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const current = JSON.stringify(node.settings, null, 2);
  const Mark = isOpen ? ChevronDown : ChevronRight;

  function type(text: string): void {
    setTyped(text);
    setProblem(null);
  }

  function apply(): void {
    const outcome = readSettings(kindOf(node.kind), typed ?? current);
    if ("problem" in outcome) return setProblem(outcome.problem);
    store.change("Change settings", (draft) => setAll(draft, node.id, outcome.ok));
    setTyped(null);
  }

  return (
    <section className="json" aria-label="Advanced JSON">
      <button
        type="button"
        className="json-head"
        aria-expanded={isOpen}
        data-geo="panel/json/open"
        onClick={() => setOpen(!isOpen)}
      >
        <Mark size={14} aria-hidden="true" />
        Advanced JSON
      </button>
      {isOpen && (
        <>
          <TextField
            bare
            mono
            label="Settings as JSON"
            geo="panel/json"
            value={typed ?? current}
            lines={6}
            onType={type}
          />
          {problem && (
            <p className="problem" role="alert">
              {problem}
            </p>
          )}
          <Button geo="panel/json/apply" disabled={typed === null || typed === current} onPress={apply}>
            Apply JSON
          </Button>
        </>
      )}
    </section>
  );
}
