import { Dropdown, NumberField, TextField, Toggle } from "@quintain/kit";
import type { Setting, SettingValue } from "../../model/catalogue";
import type { Node } from "../../model/document";
import { set } from "../../model/edits";
import { store } from "../../store";
import { CasesField } from "./CasesField";
import { FieldsField } from "./FieldsField";

/** One setting of a node, shown by its type. */
export function SettingField({ node, setting }: { node: Node; setting: Setting }) {
  const { key, label, type } = setting;
  const geo = `panel/set/${key}`;
  const value = node.settings[key] ?? setting.default;

  function change(next: SettingValue): void {
    store.change(`Change ${label}`, (draft) => set(draft, node.id, key, next), { merge: `${node.id}/${key}` });
  }

  function changeOnce(next: SettingValue): void {
    change(next);
    store.seal();
  }

  switch (type) {
    case "choice":
      return (
        <Dropdown label={label} geo={geo} value={String(value)} options={setting.options ?? []} onPick={changeOnce} />
      );
    case "toggle":
      return <Toggle label={label} geo={geo} on={value === true} onChange={changeOnce} />;
    case "number":
      return <NumberField label={label} geo={geo} value={Number(value)} onType={change} onDone={store.seal} />;
    case "cases":
      return <CasesField node={node} label={label} />;
    case "fields":
      return <FieldsField node={node} settingKey={key} label={label} />;
    default:
      return (
        <TextField
          label={label}
          geo={geo}
          value={String(value)}
          lines={type === "text" ? 1 : 2}
          enter={type === "long" ? "newline" : "done"}
          mono={type === "expression"}
          placeholder={type === "expression" ? "Expression, such as item.value" : undefined}
          onType={change}
          onDone={store.seal}
        />
      );
  }
}
