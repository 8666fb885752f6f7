import type { Docmill } from '@docmill/client';
import type { JsonPath } from '../json-editor/json-text.ts';

/** Shared by all parts of a form. */
export interface FormActions {
  /** Undefined removes the value. */
  readonly set: (path: JsonPath, value: unknown) => void;
  readonly remove: (path: JsonPath) => void;
  readonly move: (path: JsonPath, from: number, to: number) => void;
  /** Error messages by path, in the notation of `pathKey`. */
  readonly problems: ReadonlyMap<string, string>;
  /** For stored pictures. */
  readonly docmill: Docmill;
  /** Whether every value may be missing, as in options. */
  readonly isOptional: boolean;
}

export const pathKey = (path: JsonPath): string => JSON.stringify(path);
