import { Button } from "@quintain/kit";
import { FileJson, Plus, Workflow as Mark } from "lucide-react";
import { useState } from "react";
import type { Workflow, WorkflowDocument } from "../../model/document";
import { addWorkflow, type Recipe } from "../../model/transfer";
import { store, templates } from "../../store";
import { DeleteDialog } from "../dialogs/DeleteDialog";
import { ImportDialog } from "../dialogs/ImportDialog";
import { NewDialog } from "../dialogs/NewDialog";
import { TemplateCard } from "./TemplateCard";
import { WorkflowCard } from "./WorkflowCard";

type Asking = { what: "new" } | { what: "import" } | { what: "delete"; workflow: Workflow };

/** Where workflows are opened, made, brought in and thrown away. */
export function Hub({ document }: { document: WorkflowDocument }) {
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = () => setAsking(null);
  const workflows = document.workflows;
  return (
    <div className="hub">
      <header className="hub-bar">
        <Mark className="brand-mark" size={20} aria-hidden="true" />
        <span className="brand">Workflow Builder</span>
      </header>
      <main className="hub-main" data-geo="hub/scroll" data-geo-area>
        <div className="hub-head">
          <div>
            <h1 className="hub-title">Workflow hub</h1>
            <p className="hub-lead">Open a workflow, start from a template, or build a new one.</p>
          </div>
          <div className="hub-actions">
            <Button geo="hub/import" onPress={() => setAsking({ what: "import" })}>
              <FileJson size={16} aria-hidden="true" />
              Import JSON
            </Button>
            <Button geo="hub/new" look="primary" onPress={() => setAsking({ what: "new" })}>
              <Plus size={16} aria-hidden="true" />
              New workflow
            </Button>
          </div>
        </div>
        <section aria-label="Your workflows">
          <h2 className="hub-section">Your workflows</h2>
          {workflows.length === 0 && <p className="hub-empty">There are no workflows yet.</p>}
          <div className="cards">
            {workflows.map((workflow) => (
              <WorkflowCard
                key={workflow.id}
                workflow={workflow}
                onDelete={() => setAsking({ what: "delete", workflow })}
              />
            ))}
          </div>
        </section>
        <section aria-label="Quick-start templates">
          <h2 className="hub-section">Quick-start templates</h2>
          <div className="cards cards-small">
            {templates.map((template) => (
              <TemplateCard key={template.name} template={template} onUse={() => openNew(template.recipe)} />
            ))}
          </div>
        </section>
      </main>
      {asking?.what === "new" && (
        <NewDialog onCancel={close} onCreate={(name) => openNew({ name, nodes: [], edges: [] })} />
      )}
      {asking?.what === "import" && <ImportDialog onCancel={close} onImport={openNew} />}
      {asking?.what === "delete" && <DeleteDialog workflow={asking.workflow} onClose={close} />}
    </div>
  );
}

/** Adds a workflow and opens it. */
export function openNew(recipe: Recipe): void {
  store.change(
    "Add workflow",
    (draft) => {
      draft.open = addWorkflow(draft, recipe);
    },
    { forget: true },
  );
}
