import type { OutputFormat } from '../generations/generation-record.ts';
import type { BundleKind } from './claim-bundle.ts';

export interface BundledOutput {
  readonly format: OutputFormat;
  readonly pdfOptions: Readonly<Record<string, unknown>> | null;
}

/**
 * Why a document of this output cannot be part of such a bundle: the field below `output` and a message. Only PDFs that
 * are not encrypted can be merged; a zip takes everything.
 */
export function bundleProblem(
  bundle: BundleKind,
  { format, pdfOptions }: BundledOutput,
): { readonly path: string; readonly message: string } | undefined {
  if (bundle !== 'pdf') return undefined;
  if (format !== 'pdf') return { path: 'format', message: 'must be pdf when the bundle is a merged PDF' };
  for (const option of ['password', 'permissions'] as const) {
    if (pdfOptions?.[option] === undefined) continue;
    return { path: `pdf.${option}`, message: 'encrypts the file, so it cannot be part of a merged PDF' };
  }
  return undefined;
}
