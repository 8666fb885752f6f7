/** How a formula uses a value: what the schema of a template is inferred from. */
export type UseKind =
  | 'print'
  | 'any'
  | 'number'
  | 'text'
  | 'truth'
  | 'date'
  | 'date-time'
  | 'list'
  | 'section'
  | 'address'
  | DataType;

/** A type of data that a kind of tag adds to those of the language: a picture, HTML. */
export interface DataType {
  readonly name: string;
  /** JSON Schema 2020-12 of such a value. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** A value that fits the schema; `title` is the name it stands under as words, `suffix` tells the items of a list apart. */
  readonly example: (title: string, suffix: string) => unknown;
  /** The value may be an object whose keys the type itself describes. */
  readonly mayBeObject: boolean;
}

/** A step of a path that the data tells, not the tag: the second one of `amounts[name]`. No tag can hold this character. */
export const anyKey = '\u0000';

/** One name that a tag looks up, as a path from the level where the tag stands; `.` is the current item. */
export interface Use {
  readonly segments: readonly string[];
  readonly kind: UseKind;
  /** For each `anyKey` among the segments: what tells the key. */
  readonly keys?: readonly (readonly Use[])[] | undefined;
  /** Used as a list, also where the kind says what becomes of its items. */
  readonly isList?: boolean | undefined;
  /** The tag says what to print when the value is missing. */
  readonly isOptional?: boolean | undefined;
  /** A value the formula compares it with. */
  readonly sample?: unknown;
  /** What is read of the items of a list. */
  readonly items?: readonly Use[] | undefined;
}
