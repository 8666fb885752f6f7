import { hash } from 'node:crypto';

export interface DocumentInputs {
  readonly templateId: string;
  readonly templateVersion: number;
  readonly dataChecksum: string;
  readonly pdfOptions?: Readonly<Record<string, unknown>> | undefined;
  readonly renderOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** Equal for documents of the same template, data and options: SHA-256, hex. */
export function fingerprintOf({
  templateId,
  templateVersion,
  dataChecksum,
  pdfOptions = {},
  renderOptions = {},
}: DocumentInputs): string {
  const options = JSON.stringify([pdfOptions, renderOptions]);
  return hash('sha256', [templateId, templateVersion, dataChecksum, options].join('\0'), 'hex');
}
