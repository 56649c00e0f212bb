import { counted } from "../../model/summary";
import type { Template } from "../../model/templates";
import { Thumbnail } from "./Thumbnail";

/** A template; pressing it makes a new workflow from it and opens that. */
export function TemplateCard({ template, onUse }: { template: Template; onUse: () => void }) {
  const { name, nodes } = template.recipe;
  return (
    <article className="card" aria-label={`Template ${name}`}>
      <button
        type="button"
        className="card-open"
        aria-label={`Use template ${name}`}
        data-geo={`hub/template/${template.name}`}
        onClick={onUse}
      >
        <Thumbnail workflow={template.recipe} />
        <span className="card-name">{name}</span>
        <span className="card-facts">Template with {counted(nodes.length, "node")}</span>
      </button>
    </article>
  );
}
