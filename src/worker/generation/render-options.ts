import type { ClaimedGeneration } from '../../shared/domain/generations/generation-record.ts';
import type { RenderOptions } from '../docx/sandbox/docx-pool.ts';

type Requested = Pick<ClaimedGeneration, 'renderOptions' | 'documentDate'> & Partial<Pick<ClaimedGeneration, 'isTest'>>;

/** The options of a request, with the date of its document. */
export function toRenderOptions({ renderOptions, documentDate, isTest }: Requested): RenderOptions {
  const date = documentDate.toISOString();
  return { ...(renderOptions as RenderOptions | undefined), documentDate: date, hasTestWatermark: isTest };
}
