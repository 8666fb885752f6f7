import { openPackage } from '../package/open-package.ts';
import { validatePackage } from '../package/validate-package.ts';
import type { Warning } from '../sanitise/sanitise-package.ts';
import { compileTemplate } from '../template/compile-template.ts';
import { templateWarnings } from './template-warnings.ts';
import { usedFonts } from './used-fonts.ts';

/** What an upload learns about a template. */
export interface TemplateReport {
  /** Names of the tags, sorted. */
  readonly tags: readonly string[];
  /** Names of the fonts the document uses, sorted. */
  readonly fonts: readonly string[];
  readonly warnings: readonly Warning[];
}

/** Checks a template as a whole. Throws `template_invalid` with one detail for each mistake. */
export function inspectTemplate(bytes: Uint8Array): TemplateReport {
  const source = openPackage(bytes);
  validatePackage(source);
  const { scanned } = compileTemplate(source);
  const names = new Set<string>();
  for (const part of scanned) {
    for (const tag of part.tags) if (tag.kind !== 'close' && tag.text !== '.') names.add(tag.text);
  }
  return { tags: [...names].sort(), fonts: usedFonts(source), warnings: templateWarnings(source, scanned) };
}
