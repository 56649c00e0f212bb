import { Dialog, Dropdown, TextField, Toggle } from "@quintain/kit";
import { type KeyboardEvent, useState } from "react";
import type { Editor } from "../editor/editor";
import { type Setting, kindOf } from "../model/catalogue";
import type { SettingValue } from "../model/document";
import { type Draft, draftOf, problemOf, readDraft } from "../model/properties";

/** The properties of a part. Nothing is changed before OK, and then everything at once. */
export function PropertiesDialog({ editor, id }: { editor: Editor; id: string }) {
  const part = editor.document.parts.find((each) => each.id === id);
  const settings = part === undefined ? [] : labelFirst(kindOf(part).settings);
  const [draft, setDraft] = useState<Draft>(() => (part === undefined ? {} : draftOf(settings, part.settings)));
  const close = () => editor.update({ dialog: null });
  if (part === undefined) {
    return null;
  }

  function apply(): void {
    const values = readDraft(settings, draft);
    if (values !== null) {
      close();
      editor.set(id, values);
    }
  }

  const isWrong = settings.some((setting) => problemOf(setting, draft[setting.key]) !== null);
  return (
    <Dialog title={`Edit ${kindOf(part).name}`} ok="OK" width={360} disabled={isWrong} onOk={apply} onCancel={close}>
      {settings.map((setting, index) => (
        <Row
          key={setting.key}
          setting={setting}
          value={draft[setting.key] ?? ""}
          isFirst={index === 0}
          isLast={index === settings.length - 1}
          onEnter={apply}
          onChange={(value) => setDraft((before) => ({ ...before, [setting.key]: value }))}
        />
      ))}
    </Dialog>
  );
}

function labelFirst(settings: readonly Setting[]): Setting[] {
  return settings.toSorted((a, b) => Number(b.key === "label") - Number(a.key === "label"));
}

interface RowProps {
  setting: Setting;
  value: SettingValue;
  isFirst: boolean;
  isLast: boolean;
  onEnter: () => void;
  onChange: (value: SettingValue) => void;
}

function Row({ setting, value, isFirst, isLast, onEnter, onChange }: RowProps) {
  const geo = `dialog/${setting.key}`;
  if (setting.type === "choice") {
    return (
      <div onKeyDownCapture={(event) => isEnterOnClosed(event) && agree(event, onEnter)}>
        <Dropdown
          label={setting.label}
          value={String(value)}
          options={setting.options ?? []}
          geo={geo}
          side={isLast ? "above" : "below"}
          onPick={onChange}
        />
      </div>
    );
  }
  if (setting.type === "toggle") {
    return <Toggle label={setting.label} on={value === true} geo={geo} onChange={onChange} />;
  }
  const problem = problemOf(setting, value);
  const unit = setting.unit ?? "";
  return (
    <div className="setting">
      <TextField
        label={setting.label}
        value={String(value)}
        geo={geo}
        focused={isFirst}
        trailing={unit === "" ? null : <span className="setting-unit">{unit}</span>}
        onType={(text) => onChange(text)}
      />
      {problem !== null && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Enter opens no list: it agrees to the dialog, as in every other field. The space bar and the arrows open the list. */
function isEnterOnClosed(event: KeyboardEvent): boolean {
  return event.key === "Enter" && (event.target as HTMLElement).getAttribute("aria-expanded") === "false";
}

function agree(event: KeyboardEvent, onEnter: () => void): void {
  event.preventDefault();
  event.stopPropagation();
  onEnter();
}
