import { hash } from 'node:crypto';
import type { TemplateSyntax } from '../../../shared/template-syntax.ts';
import type { LoadAssets, LoadIncludes } from '../../../worker/docx/sandbox/docx-pool.ts';

/** A document to lay out with both engines. */
export interface Case {
  /** Unique; also the name of its folder in the report. */
  readonly id: string;
  readonly title: string;
  readonly templateId?: string | undefined;
  /** Names under which its rules may be stored, the most specific first. */
  readonly ruleNames: readonly string[];
  load(): Promise<Source>;
}

export interface Source {
  readonly template: Uint8Array;
  /** The syntax of its tags. Default: braces. */
  readonly syntax?: TemplateSyntax | undefined;
  /** The data to fill it with (JSON). Default: example data derived from its tags. */
  readonly data: Uint8Array | undefined;
  readonly accountId?: string | undefined;
  readonly loadAssets?: LoadAssets | undefined;
  readonly loadIncludes?: LoadIncludes | undefined;
  /** The dictionary of the account as JSON. */
  readonly accountWords?: Uint8Array | undefined;
}

/**
 * Derives an id from a name. It is safe as a folder name, and unique even for names that differ only in replaced
 * characters.
 */
export function toCaseId(name: string): string {
  const stem = name.replace(/\.docx$/, '');
  const safe = stem
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[.-]+/g, '')
    .slice(0, 80);
  return safe === stem ? safe : `${safe}-${hash('sha256', name, 'hex').slice(0, 8)}`;
}
