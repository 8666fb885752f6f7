/** How an expression uses a value: the schema of a template is inferred from it. */
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

/** A key of a path that comes from the data, as the second of `amounts[name]`. No tag can contain this character. */
export const anyKey = '\u0000';

/** A name that a tag looks up, as a path from the level of the tag; `.` is the current item. */
export interface Use {
  readonly segments: readonly string[];
  readonly kind: UseKind;
  /** For each `anyKey` among the segments: the uses of its key. */
  readonly keys?: readonly (readonly Use[])[] | undefined;
  /** Used as a list, even when the kind describes its items. */
  readonly isList?: boolean | undefined;
  /** The tag defines what to print when the value is missing. */
  readonly isOptional?: boolean | undefined;
  /** A value that the expression compares it with. */
  readonly sample?: unknown;
  /** The uses of the items of a list. */
  readonly items?: readonly Use[] | undefined;
}
