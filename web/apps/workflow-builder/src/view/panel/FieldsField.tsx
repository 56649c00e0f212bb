import { Button, TextField } from "@quintain/kit";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import type { FieldValue } from "../../model/catalogue";
import type { Node } from "../../model/document";
import { set } from "../../model/edits";
import { store } from "../../store";
import { useInView } from "./in-view";

/** The assignments of a node that sets fields: each has a name and an expression. */
export function FieldsField({ node, settingKey, label }: { node: Node; settingKey: string; label: string }) {
  const fields = (node.settings[settingKey] ?? []) as FieldValue[];
  const [added, setAdded] = useState(-1);

  function change(words: string, next: FieldValue[], merge?: string): void {
    store.change(words, (draft) => set(draft, node.id, settingKey, next), merge ? { merge } : {});
  }

  function type(index: number, key: keyof FieldValue, text: string): void {
    const next = fields.map((field, position) => (position === index ? { ...field, [key]: text } : field));
    change("Change field", next, `${node.id}/field/${index}/${key}`);
  }

  function add(): void {
    change("Add field", [...fields, { name: "", value: "" }]);
    setAdded(fields.length);
  }

  return (
    <fieldset className="group">
      <legend className="field-label">{label}</legend>
      {fields.map((field, index) => (
        <FieldRow
          key={index}
          field={field}
          index={index}
          focused={index === added}
          onType={(key, text) => type(index, key, text)}
          onRemove={() =>
            change(
              "Remove field",
              fields.filter((_, position) => position !== index),
            )
          }
        />
      ))}
      <Button geo="panel/field/add" onPress={add}>
        <Plus size={15} aria-hidden="true" />
        Add field
      </Button>
    </fieldset>
  );
}

interface FieldRowProps {
  field: FieldValue;
  index: number;
  focused: boolean;
  onType: (key: keyof FieldValue, text: string) => void;
  onRemove: () => void;
}

function FieldRow({ field, index, focused, onType, onRemove }: FieldRowProps) {
  const row = useInView(focused);
  const geo = `panel/field/${index}`;
  return (
    <div className="group-row" ref={row} role="group" aria-label={`Field ${index + 1}`}>
      <div className="group-fields">
        <TextField
          bare
          label={`Name of field ${index + 1}`}
          geo={`${geo}/name`}
          value={field.name}
          placeholder="Name"
          focused={focused}
          onType={(text) => onType("name", text)}
          onDone={store.seal}
        />
        <TextField
          bare
          mono
          label={`Value of field ${index + 1}`}
          geo={`${geo}/value`}
          value={field.value}
          placeholder="Value"
          lines={1}
          enter="done"
          onType={(text) => onType("value", text)}
          onDone={store.seal}
        />
      </div>
      <Button
        look="ghost"
        className="group-remove"
        label={`Remove field ${field.name || index + 1}`}
        geo={`${geo}/remove`}
        onPress={onRemove}
      >
        <X size={15} aria-hidden="true" />
      </Button>
    </div>
  );
}
