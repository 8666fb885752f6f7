import type { Delimiters } from '../../../shared/template-syntax.ts';
import type { DocxPackage } from '../package/open-package.ts';

/** A place where the content of another template is in the package, within a section of its own. */
export interface Inclusion {
  /** The name or the id by which the tag includes the template. */
  readonly template: string;
  /** The expression whose value is the template's data; undefined where it shares the data of its place. */
  readonly scope: string | undefined;
  /** Whether the template shares the data of its place, instead of being left out, if the expression has no value. */
  readonly isScopeOptional: boolean;
}

/** The files of all templates that a template includes, directly or indirectly, by the names or ids in the tags. */
export type IncludedFiles = ReadonlyMap<string, Uint8Array>;

export interface Composition {
  /** The template with the content of those that it includes. */
  readonly source: DocxPackage;
  /** Bytes of the parts that were changed or added, which `source` keeps unpacked. */
  readonly sizeBytes: number;
  readonly inclusions: readonly Inclusion[];
  /** The names or ids in the tags of the template itself, each once. */
  readonly templates: readonly string[];
}

/**
 * Puts the content of included templates into a template. Throws IncludesNeeded if there are any and `files` is
 * undefined.
 */
export type Compose = (source: DocxPackage, files: IncludedFiles | undefined, delimiters: Delimiters) => Composition;

/** The template includes others, which the caller did not pass. Load them and all that they include, and call again. */
export class IncludesNeeded extends Error {
  /** Names or ids, as the tags write them. */
  readonly templates: readonly string[];

  constructor(templates: readonly string[]) {
    super('included templates are needed');
    this.name = 'IncludesNeeded';
    this.templates = templates;
  }
}
