import type { DataSchema } from '../../../shared/data-schema.ts';
import type { Json } from '../../../shared/json.ts';

/** How an expression uses a value, from which the schema of a template is inferred. */
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

/** A data type that a feature adds to the language: a picture, HTML. */
export interface DataType {
  readonly name: string;
  /** JSON Schema 2020-12 of a value of this type. */
  readonly schema: DataSchema;
  /** A value that fits the schema. `title` is its key in words; `suffix` distinguishes the items of a list. */
  readonly example: (title: string, suffix: string) => Json;
  /** Whether the value may be an object that the type itself describes. */
  readonly mayBeObject: boolean;
}

/** Represents a path key that comes from the data, such as `name` in `amounts[name]`. No tag can contain this character. */
export const anyKey = '\u0000';

/** Represents an item index that comes from a loop position, such as `$index` in `amounts[$index]`. */
export const anyIndex = '\u0001';

/** A name that a tag looks up, as a path from the tag's level; `.` is the current item. */
export interface Use {
  readonly segments: readonly string[];
  readonly kind: UseKind;
  /** For each `anyKey` among the segments: the uses of its key. */
  readonly keys?: readonly (readonly Use[])[] | undefined;
  /** Whether the value is used as a list, even if the kind describes its items. */
  readonly isList?: boolean | undefined;
  /** Set for fields of Word's mail merge: all names that match regardless of case, spaces and underscores. */
  readonly folded?: readonly string[] | undefined;
  /** Whether the tag defines what to print if the value is missing. */
  readonly isOptional?: boolean | undefined;
  /** A value with which the expression compares it. */
  readonly sample?: unknown;
  /** The uses of the items of a list. */
  readonly items?: readonly Use[] | undefined;
  /** Set if the expression uses groups of its items: the uses of a group's key. */
  readonly groupedBy?: readonly Use[] | undefined;
}
