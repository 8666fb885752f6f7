import type { JsonPath } from '../json-editor/json-text.ts';

/** What the parts of a form share. */
export interface FormActions {
  /** Undefined removes the value. */
  readonly set: (path: JsonPath, value: unknown) => void;
  readonly remove: (path: JsonPath) => void;
  readonly move: (path: JsonPath, from: number, to: number) => void;
  /** Problems by their path, as `pathKey` writes it. */
  readonly problems: ReadonlyMap<string, string>;
  /** Every value may be missing: of options. */
  readonly isOptional: boolean;
}

export const pathKey = (path: JsonPath): string => JSON.stringify(path);
