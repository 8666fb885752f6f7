import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import type { RenderOptions } from '../docx/sandbox/docx-pool.ts';

type Requested = Pick<ClaimedDocument, 'renderOptions' | 'documentDate' | 'templateSyntax'> &
  Partial<Pick<ClaimedDocument, 'isTest'>>;

/** The options of a request, with the document date and the template syntax. */
export function toRenderOptions({ renderOptions, documentDate, templateSyntax, isTest }: Requested): RenderOptions {
  const date = documentDate.toISOString();
  return { ...renderOptions, syntax: templateSyntax, documentDate: date, hasTestWatermark: isTest };
}
