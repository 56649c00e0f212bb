import { kindOf } from "../model/catalogue";
import { openInputs } from "../model/driven";
import type { Editor } from "./editor";

/** What keeps the circuit from working, as one sentence: the first problem, and how many inputs are open besides. */
export function problemText(editor: Editor): string | null {
  const { simulation, document } = editor;
  if (document.parts.length === 0) return null;
  if (simulation.engine === "silent") return "no simulation engine";
  const problem = simulation.answer?.problem ?? null;
  if (problem === null) return null;
  const names = openInputs(document).map(({ part, pin }) => {
    const found = document.parts.find(({ id }) => id === part);
    const label = String(found?.settings["label"] ?? "");
    return `${label === "" && found !== undefined ? kindOf(found).name : label}: input ${pin} `;
  });
  return withOthers(problem, names);
}

/** The sentence with the number of open inputs it does not speak of. `names` are how sentences about each of them begin. */
export function withOthers(problem: string, names: readonly string[]): string {
  const isOneOfThem = names.some((name) => problem.startsWith(name));
  const others = names.length - (isOneOfThem ? 1 : 0);
  return others === 0 ? problem : `${problem}, and ${others} more`;
}
