import type { ClaimedGeneration } from '../../shared/domain/generations/generation-record.ts';

/** What the pages of a document depend on, besides its template and its data. */
export type PrintedDocument = Pick<
  ClaimedGeneration,
  | 'accountId'
  | 'templateObjectKey'
  | 'templateSyntax'
  | 'includes'
  | 'filename'
  | 'pdfOptions'
  | 'renderOptions'
  | 'documentDate'
  | 'dictionaryId'
  | 'accountFonts'
>;
