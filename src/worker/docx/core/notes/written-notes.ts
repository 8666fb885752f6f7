import { oncePerRender } from '../render/render-state.ts';
import type { NoteKind } from './note-parts.ts';

interface WrittenNote {
  /** Its id in the template. */
  readonly of: string;
  readonly xml: string;
}

/** The notes that a render has filled, each for one reference, under ids that the references carry until all are known. */
export class WrittenNotes {
  readonly #notes = new Map<string, WrittenNote>();

  add(kind: NoteKind, note: WrittenNote): string {
    const id = `${kind}-${this.#notes.size}`;
    this.#notes.set(id, note);
    return id;
  }

  get(id: string): WrittenNote | undefined {
    return this.#notes.get(id);
  }
}

export const writtenNotes = oncePerRender(() => new WrittenNotes());
