import type { ClaimedGeneration } from '../../shared/domain/generations/generation-record.ts';
import type { RenderOptions } from '../docx/sandbox/docx-pool.ts';

/** The options of a request, with the date of its document. */
export function toRenderOptions({ renderOptions, documentDate }: ClaimedGeneration): RenderOptions {
  return { ...(renderOptions as RenderOptions | undefined), documentDate: documentDate.toISOString() };
}
