import { hash } from 'node:crypto';
import type { PdfOptions, RequestedRenderOptions } from '../../output-options.ts';
import type { DocumentInclude } from './document-record.ts';

export interface DocumentInputs {
  readonly templateId: string;
  readonly templateVersion: number;
  readonly dataChecksum: string;
  readonly includes?: readonly Pick<DocumentInclude, 'objectKey'>[] | undefined;
  readonly pdfOptions?: PdfOptions | undefined;
  readonly renderOptions?: RequestedRenderOptions | undefined;
}

/** SHA-256, hex. Equal for documents with the same template, data and options. */
export function fingerprintOf({
  templateId,
  templateVersion,
  dataChecksum,
  pdfOptions = {},
  renderOptions = {},
  includes = [],
}: DocumentInputs): string {
  const options = JSON.stringify([pdfOptions, renderOptions]);
  const keys = includes.map(({ objectKey }) => objectKey).sort();
  return hash('sha256', [templateId, templateVersion, dataChecksum, options, ...keys].join('\0'), 'hex');
}
