import { ask } from "@quintain/kit";
import { isLogic } from "../model/catalogue";
import type { CircuitDocument } from "../model/document";
import type { Answer } from "./answer";

/** What the engine is asked about one scope. */
export interface ScopeQuestion {
  id: string;
  window: number;
  columns: number;
}

/** The engine is not known to be there before it has answered once. */
export type Engine = "silent" | "answering";

/** The simulation as the editor sees it. The engine outside the page knows the document; it is asked by time alone. */
export class Simulation {
  /** Simulated seconds since the last edit. */
  time = 0;
  answer: Answer | null = null;
  engine: Engine = "silent";
  private isWaiting = false;
  private isStale = true;
  private last: number | null = null;
  private readonly whenAnswered: () => void;

  constructor(whenAnswered: () => void) {
    this.whenAnswered = whenAnswered;
  }

  /** Starts again at nought: the circuit is another one. What the old one showed is no longer true. */
  restart(): void {
    this.time = 0;
    this.answer = null;
    this.isStale = true;
  }

  /** Asks again at the next frame, though no time passes. */
  refresh(): void {
    this.isStale = true;
  }

  /** One frame: time goes on if it runs, and the engine is asked if there is something new to know. */
  frame(nowMs: number, doc: CircuitDocument, isRunning: boolean, scopes: () => ScopeQuestion[]): void {
    const elapsed = this.last === null ? 0 : (nowMs - this.last) / 1000;
    this.last = nowMs;
    const moves = isRunning && hasTime(doc);
    if (moves) {
      this.time += elapsed * doc.speed;
    }
    const hasNews = this.isStale || (moves && elapsed > 0);
    if (hasNews && !this.isWaiting && doc.parts.length > 0) {
      this.ask(scopes(), moves);
    }
  }

  private ask(scopes: ScopeQuestion[], isQuiet: boolean): void {
    this.isWaiting = true;
    this.isStale = false;
    void ask<Answer>("simulate", { time: this.time, scopes }, { quiet: isQuiet }).then((answer) => {
      this.isWaiting = false;
      this.engine = "answering";
      // An edit in between makes the answer one about another circuit.
      if (!this.isStale) {
        this.answer = answer;
        this.whenAnswered();
      }
    });
  }
}

/** Whether time means anything to a circuit. One of logic parts alone settles at once. */
export function hasTime(doc: CircuitDocument): boolean {
  return doc.parts.some(({ kind }) => !isLogic(kind));
}
