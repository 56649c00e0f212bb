import { createDocumentStore, opening } from "@quintain/kit";
import type { WorkflowDocument } from "./model/document";
import { templatesOf, type Start } from "./model/templates";

/** The app's document. */
export const store = createDocumentStore<WorkflowDocument>(
  opening<WorkflowDocument>({ workflows: [], open: null }).document,
);

/** The templates of the hub. */
export const templates = templatesOf(import.meta.glob<Start>("./starts/*.json", { eager: true, import: "default" }));
