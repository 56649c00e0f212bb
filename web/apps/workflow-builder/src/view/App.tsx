import { ready, useDocument } from "@quintain/kit";
import { useEffect } from "react";
import { openWorkflow } from "../model/document";
import { store } from "../store";
import { Editor } from "./Editor";
import { Hub } from "./hub/Hub";

/** The hub, or the workflow that is open. */
export function App() {
  const document = useDocument(store);
  const workflow = openWorkflow(document);
  useEffect(ready, []);
  return workflow ? <Editor key={workflow.id} workflow={workflow} /> : <Hub document={document} />;
}
