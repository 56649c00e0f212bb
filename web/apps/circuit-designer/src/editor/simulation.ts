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

/**
 * Frames that follow each other faster than this do not count as time. It is in thirds of a millisecond, as all frame times
 * are: browsers blur them by a random tenth of a millisecond, while sixtieths of a second and whole milliseconds lie on
 * thirds, so rounding brings back the true time.
 */
const SHORTEST_FRAME = 12;

/** The simulation as the editor sees it. The engine outside the page knows the document; it is asked by time alone. */
export class Simulation {
  /** Simulated seconds since the last edit. */
  time = 0;
  answer: Answer | null = null;
  engine: Engine = "silent";
  private isWaiting = false;
  private isStale = true;
  /** The time of the last frame, in thirds of a millisecond. */
  private last: number | null = null;
  private readonly whenAnswered: (news: "picture" | "time") => void;

  /** `whenAnswered` learns whether the picture has changed or only the time. */
  constructor(whenAnswered: (news: "picture" | "time") => void) {
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
    const elapsed = this.elapsed(nowMs);
    const moves = isRunning && hasTime(doc);
    if (moves) {
      this.time += elapsed * doc.speed;
    }
    const hasNews = this.isStale || (moves && elapsed > 0);
    if (hasNews && !this.isWaiting && doc.parts.length > 0) {
      this.ask(scopes(), moves);
    }
  }

  /** The seconds since the last frame. A frame drawn only to take a picture comes right after another: no time passes. */
  private elapsed(nowMs: number): number {
    const now = Math.round(nowMs * 3);
    const elapsed = this.last === null ? 0 : now - this.last;
    if (this.last !== null && elapsed < SHORTEST_FRAME) {
      return 0;
    }
    this.last = now;
    return elapsed / 3000;
  }

  private ask(scopes: ScopeQuestion[], isQuiet: boolean): void {
    this.isWaiting = true;
    this.isStale = false;
    void ask<Answer>("simulate", { time: this.time, scopes }, { quiet: isQuiet }).then((answer) => {
      this.isWaiting = false;
      this.engine = "answering";
      // An edit in between makes the answer one about another circuit.
      if (!this.isStale) {
        const isSame = this.answer !== null && looksAlike(this.answer, answer);
        this.answer = answer;
        this.whenAnswered(isSame ? "time" : "picture");
      }
    });
  }
}

/** Whether time means anything to a circuit. One of logic parts alone settles at once. */
export function hasTime(doc: CircuitDocument): boolean {
  return doc.parts.some(({ kind }) => !isLogic(kind));
}

/** Whether two answers without scopes show the same, to more digits than are ever written. */
function looksAlike(a: Answer, b: Answer): boolean {
  if (a.scopes.length + b.scopes.length > 0 || a.problem !== b.problem || a.volts.length !== b.volts.length) {
    return false;
  }
  const isSame = (x: number | undefined, y: number | undefined) => x?.toPrecision(6) === y?.toPrecision(6);
  return (
    a.volts.every((volts, index) => isSame(volts, b.volts[index])) &&
    Object.entries(b.currents).every(([part, current]) => isSame(current, a.currents[part]))
  );
}
