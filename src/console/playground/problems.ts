import { ApiError } from '@docmill/client';
import type { DataProblem } from '../json-editor/check-data.ts';
import type { JsonPath } from '../json-editor/json-text.ts';
import { pathKey } from './form-actions.ts';

export interface FieldProblems {
  /** Problems of the data, for its editor. */
  readonly data: readonly DataProblem[];
  /** By path below `data`. */
  readonly byDataPath: ReadonlyMap<string, string>;
  /** Problems of the options, by path in the request. */
  readonly byOptionPath: ReadonlyMap<string, string>;
}

export const noFieldProblems: FieldProblems = { data: [], byDataPath: new Map(), byOptionPath: new Map() };

/** Maps the problems of an error to the fields that they name. */
export function fieldProblemsOf(error: unknown): FieldProblems {
  if (!(error instanceof ApiError)) return noFieldProblems;
  const data: DataProblem[] = [];
  const byDataPath = new Map<string, string>();
  const byOptionPath = new Map<string, string>();
  for (const { path: text, message } of error.details) {
    if (text === undefined) continue;
    const path = parseFieldPath(text);
    if (path[0] === 'data') {
      data.push({ path: path.slice(1), message });
      byDataPath.set(pathKey(path.slice(1)), message);
    } else byOptionPath.set(pathKey(path), message);
  }
  return { data, byDataPath, byOptionPath };
}

/** Parses a field path as errors write it, such as `data.items[0].amount`. */
function parseFieldPath(path: string): JsonPath {
  const parts = path.match(/[^.[\]]+|\[\d+\]/g) ?? [];
  return parts.map((part) => (part.startsWith('[') ? Number(part.slice(1, -1)) : part));
}
