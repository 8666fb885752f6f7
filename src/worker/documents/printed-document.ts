import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';

/** Everything that the pages of a document depend on besides its template and data. */
export type PrintedDocument = Pick<
  ClaimedDocument,
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
