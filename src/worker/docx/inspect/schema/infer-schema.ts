import type { PartNodes } from '../../core/nodes.ts';
import { collectShape } from './collect-shape.ts';
import { exampleData } from './example-data.ts';
import { type JsonSchema, toJsonSchema } from './to-json-schema.ts';

export type { JsonSchema } from './to-json-schema.ts';

export interface InferredSchema {
  /** JSON Schema 2020-12 of the `data` a template wants. */
  readonly schema: JsonSchema;
  /** Data that fits the schema and fills the template. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** What data a template wants, told from its tags; the same for the same template. Of plain JSON, bounded in size. */
export function inferSchema({ parts }: { readonly parts: readonly PartNodes[] }): InferredSchema {
  const { root, isCut } = collectShape(parts);
  return { schema: toJsonSchema(root, isCut), example: exampleData(root) };
}
