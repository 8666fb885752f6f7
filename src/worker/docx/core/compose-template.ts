import type { Delimiters } from '../../../shared/template-syntax.ts';
import type { DocxPackage } from '../package/open-package.ts';
import type { Features } from './feature.ts';
import type { Composition, IncludedFiles } from './inclusion.ts';

/** The template with the content of those that it includes. See `Compose`. */
export function composeTemplate(
  source: DocxPackage,
  { all }: Features,
  files: IncludedFiles | undefined,
  delimiters: Delimiters,
): Composition {
  const compose = all.find((feature) => feature.compose !== undefined)?.compose;
  return compose?.(source, files, delimiters) ?? { source, sizeBytes: 0, inclusions: [], templates: [] };
}
