import type { Json } from './json.ts';

export type DataType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/**
 * A JSON Schema (2020-12) of the data that a template expects, with the keywords that its inference writes and that authors
 * may state.
 */
export interface DataSchema {
  readonly $schema?: string;
  /** Present if the template has more names than the schema lists. */
  readonly $comment?: string;
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly Json[];
  /** Several types if the template takes each of them; the first is the most likely. */
  readonly type?: DataType | readonly DataType[];
  readonly properties?: Readonly<Record<string, DataSchema>>;
  /** In stored schemas: the names of the properties, in the order of the template. */
  readonly propertyOrder?: readonly string[];
  /** The schema of the values under keys that come from the data. */
  readonly additionalProperties?: DataSchema;
  readonly required?: readonly string[];
  readonly items?: DataSchema;
  readonly anyOf?: readonly DataSchema[];
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly format?: 'date' | 'date-time' | 'uri';
  readonly contentEncoding?: 'base64';
  readonly contentMediaType?: 'text/html' | 'text/markdown';
}
