import { type ReadonlySignal, signal } from '@preact/signals';
import { moveInJson, removeFromJson, setInJson } from '../json-editor/edit-json.ts';
import type { JsonPath } from '../json-editor/json-text.ts';
import { parseData } from '../json-editor/parse-data.ts';

/** The data as text, which is sent, and as the value shown in the form. */
export interface DataState {
  readonly text: ReadonlySignal<string>;
  /** The value of the last valid text, so that an error does not empty the form. */
  readonly value: ReadonlySignal<Readonly<Record<string, unknown>>>;
  /** The error in the text; undefined if it is valid. */
  readonly problem: ReadonlySignal<string | undefined>;
  readonly setText: (text: string) => void;
  /** Edits from the form; ignored while the text has an error. */
  readonly set: (path: JsonPath, value: unknown) => void;
  readonly remove: (path: JsonPath) => void;
  readonly move: (path: JsonPath, from: number, to: number) => void;
}

/** @param draft the text to begin with, which may have errors; that of the initial value by default */
export function createDataState(initial: Readonly<Record<string, unknown>>, draft?: string): DataState {
  const text = signal(JSON.stringify(initial, null, 2));
  const value = signal(initial);
  const problem = signal<string | undefined>();
  const setText = (next: string): void => {
    if (next === text.value) return;
    text.value = next;
    const parsed = parseData(next);
    if ('problem' in parsed) problem.value = parsed.problem;
    else {
      problem.value = undefined;
      value.value = parsed.value;
    }
  };
  if (draft !== undefined) setText(draft);
  const edit = (change: (before: string) => string): void => {
    if (problem.value === undefined) setText(change(text.value));
  };
  return {
    text,
    value,
    problem,
    setText,
    set: (path, next) => edit((before) => setInJson(before, path, next)),
    remove: (path) => edit((before) => removeFromJson(before, path)),
    move: (path, from, to) => edit((before) => moveInJson(before, path, from, to)),
  };
}
