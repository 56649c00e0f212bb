import { Dialog, TextField } from "@quintain/kit";
import { useState } from "react";

/** Asks for the name of a new workflow. */
export function NewDialog({ onCreate, onCancel }: { onCreate: (name: string) => void; onCancel: () => void }) {
  const [name, setName] = useState("");
  return (
    <Dialog
      title="New workflow"
      ok="Create workflow"
      disabled={name.trim() === ""}
      onOk={() => onCreate(name.trim())}
      onCancel={onCancel}
    >
      <TextField
        label="Name"
        geo="dialog/name"
        value={name}
        placeholder="Name of the workflow"
        focused
        onType={setName}
      />
    </Dialog>
  );
}
