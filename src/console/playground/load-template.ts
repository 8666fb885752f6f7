import type { Docmill, SyntaxOptions } from '@docmill/client';
import { isObject } from '../json-editor/is-object.ts';

export interface PlaygroundTemplate {
  readonly id: string;
  readonly name: string;
  /** Undefined for the current version. */
  readonly version: number | undefined;
  readonly schema: object;
  readonly example: Readonly<Record<string, unknown>>;
  /** The tag syntax of the template. It also applies to a file that is previewed instead of the template. */
  readonly syntax: SyntaxOptions;
}

/** Loads the name, schema and example of a template; an undefined `version` means the current one. */
export async function loadTemplate(
  docmill: Docmill,
  id: string,
  version: number | undefined,
  signal: AbortSignal,
): Promise<PlaygroundTemplate> {
  const [{ name, delimiters, unlikelyTags }, { schema, example }] = await Promise.all([
    docmill.templates.get(id, { signal }),
    docmill.templates.schema(id, version === undefined ? {} : { version }, { signal }),
  ]);
  return {
    id,
    name,
    version,
    schema,
    example: isObject(example) ? example : {},
    syntax: { delimiters, unlikelyTags },
  };
}
