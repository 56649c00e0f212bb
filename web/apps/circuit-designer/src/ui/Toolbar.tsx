import { Button, useHistory } from "@quintain/kit";
import {
  FlipVertical2,
  Maximize,
  Minus,
  MousePointer2,
  Pause,
  Play,
  Plus,
  Redo2,
  RotateCcw,
  RotateCw,
  Spline,
  Trash2,
  Undo2,
} from "lucide-react";
import type { ReactNode } from "react";
import type { Editor } from "../editor/editor";
import { hasTime } from "../editor/simulation";
import { SPEEDS } from "../model/document";
import { formatValue } from "../model/values";
import { useEditor } from "./useEditor";

const SPEED_WORDS: Readonly<Record<number, string>> = { 0.001: "1 ms/s", 0.01: "10 ms/s", 0.1: "100 ms/s", 1: "1 s/s" };

/** The bar of tools: modes, history, the selection, the simulation and the zoom. */
export function Toolbar({ editor }: { editor: Editor }) {
  return (
    <div className="toolbar" role="toolbar" aria-label="Tools">
      <Modes editor={editor} />
      <Edits editor={editor} />
      <Time editor={editor} />
      <Speeds editor={editor} />
      <Clock editor={editor} />
      <Zoom editor={editor} />
    </div>
  );
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="tool-group" role="group" aria-label={label}>
      {children}
    </div>
  );
}

interface ToolProps {
  name: string;
  label: string;
  icon: ReactNode;
  text?: string;
  pressed?: boolean;
  disabled?: boolean;
  onPress: () => void;
}

function Tool({ name, label, icon, text, pressed, disabled = false, onPress }: ToolProps) {
  const state = pressed === undefined ? {} : { pressed };
  return (
    <Button
      look="ghost"
      className="tool"
      label={label}
      geo={`bar/${name}`}
      disabled={disabled}
      onPress={onPress}
      {...state}
    >
      {icon}
      {text}
    </Button>
  );
}

function Modes({ editor }: { editor: Editor }) {
  const mode = useEditor(editor, (each) => each.state().mode);
  const choose = (next: "select" | "wire") => editor.update({ mode: next, ghost: null, gesture: null });
  return (
    <Group label="Mode">
      <Tool
        name="select"
        label="Select"
        text="Select"
        icon={<MousePointer2 size={15} />}
        pressed={mode === "select"}
        onPress={() => choose("select")}
      />
      <Tool
        name="wire"
        label="Wire"
        text="Wire"
        icon={<Spline size={15} />}
        pressed={mode === "wire"}
        onPress={() => choose("wire")}
      />
    </Group>
  );
}

function Edits({ editor }: { editor: Editor }) {
  const { canUndo, canRedo } = useHistory(editor.store);
  const isEmpty = useEditor(editor, (each) => each.state().selection.size === 0);
  const hasGhost = useEditor(editor, (each) => each.state().ghost !== null);
  return (
    <>
      <Group label="History">
        <Tool
          name="undo"
          label="Undo"
          icon={<Undo2 size={16} />}
          disabled={!canUndo}
          onPress={() => editor.store.undo()}
        />
        <Tool
          name="redo"
          label="Redo"
          icon={<Redo2 size={16} />}
          disabled={!canRedo}
          onPress={() => editor.store.redo()}
        />
      </Group>
      <Group label="Selection">
        <Tool
          name="rotate"
          label="Rotate"
          icon={<RotateCw size={16} />}
          disabled={isEmpty && !hasGhost}
          onPress={() => editor.rotate()}
        />
        <Tool
          name="flip"
          label="Flip"
          icon={<FlipVertical2 size={16} />}
          disabled={isEmpty && !hasGhost}
          onPress={() => editor.flip()}
        />
        <Tool
          name="delete"
          label="Delete"
          icon={<Trash2 size={16} />}
          disabled={isEmpty}
          onPress={() => editor.remove()}
        />
      </Group>
    </>
  );
}

function Time({ editor }: { editor: Editor }) {
  const isRunning = useEditor(editor, (each) => each.state().running);
  const icon = isRunning ? <Pause size={15} /> : <Play size={15} />;
  const label = isRunning ? "Pause" : "Run";
  return (
    <Group label="Simulation">
      <Tool name="run" label={label} text={label} icon={icon} onPress={() => editor.update({ running: !isRunning })} />
      <Tool
        name="reset"
        label="Reset time"
        text="Reset"
        icon={<RotateCcw size={15} />}
        onPress={() => editor.reset()}
      />
    </Group>
  );
}

function Speeds({ editor }: { editor: Editor }) {
  const speed = useEditor(editor, (each) => each.document.speed);
  return (
    <Group label="Simulated time per second">
      <span className="tool-caption">Speed</span>
      {SPEEDS.map((each) => (
        <Button
          key={each}
          look="ghost"
          className="tool tool-narrow"
          geo={`bar/speed/${each}`}
          pressed={speed === each}
          onPress={() => editor.setSpeed(each)}
        >
          {SPEED_WORDS[each]}
        </Button>
      ))}
    </Group>
  );
}

/** Whether the simulation runs, and how far it is. */
function Clock({ editor }: { editor: Editor }) {
  const isRunning = useEditor(editor, (each) => each.state().running);
  const time = useEditor(editor, timeText);
  if (time === "") {
    return null;
  }
  return (
    <div className={isRunning ? "clock clock-running" : "clock"} role="timer" aria-label="Simulated time">
      {isRunning ? <Play size={13} fill="currentColor" /> : <Pause size={13} fill="currentColor" />}
      <span className="clock-word">{isRunning ? "Running" : "Paused"}</span>
      <span className="clock-time">{time}</span>
    </div>
  );
}

/** The simulated time; a circuit of logic alone has settled as soon as it is drawn. */
function timeText(editor: Editor): string {
  if (editor.document.parts.length === 0) return "";
  return hasTime(editor.document) ? `t = ${formatValue(editor.simulation.time, "s")}` : "settled";
}

function Zoom({ editor }: { editor: Editor }) {
  const unit = useEditor(editor, (each) => each.state().view.unit);
  return (
    <Group label="Zoom">
      <Tool
        name="zoom/out"
        label="Zoom out"
        icon={<Minus size={15} />}
        disabled={unit === 8}
        onPress={() => editor.zoom(-1)}
      />
      <span className="zoom-level">{(unit * 100) / 16} %</span>
      <Tool
        name="zoom/in"
        label="Zoom in"
        icon={<Plus size={15} />}
        disabled={unit === 32}
        onPress={() => editor.zoom(1)}
      />
      <Tool name="zoom/fit" label="Fit" text="Fit" icon={<Maximize size={15} />} onPress={() => editor.fit()} />
    </Group>
  );
}
