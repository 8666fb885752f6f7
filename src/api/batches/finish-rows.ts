import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createFileNamer } from '../../shared/domain/batches/file-names.ts';
import type { RowRequest } from '../../shared/domain/batches/insert-rows.ts';
import type { EmailRequest } from '../../shared/domain/documents/document-record.ts';
import type { ErrorRecord } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { parseRecipients } from '../../shared/mail-address.ts';
import type { RequestedRenderOptions } from '../../shared/output-options.ts';
import { withSyntax } from '../documents/invoice-fields.ts';
import { toSafeFilename } from '../documents/output-filename.ts';
import { toDocxOptions, toUtc } from '../documents/output-options.ts';
import type { BatchOptions } from './batch-request.ts';
import type { RowDraft } from './collect-rows.ts';
import { badRow } from './sources/source-row.ts';

const rowsPerYield = 200;

/**
 * Turns drafts into rows to accept; an invalid row gets an `error` and fails alone. Yields to other requests every 200
 * rows.
 */
export async function finishRows(
  drafts: readonly RowDraft[],
  options: BatchOptions,
  templateName: string,
): Promise<RowRequest[]> {
  const finish = createRowFinisher(options, templateName);
  const rows: RowRequest[] = [];
  for (const draft of drafts) {
    if (rows.length % rowsPerYield === 0) await yieldToEventLoop();
    rows.push(finish(draft, rows.length + 1));
  }
  return rows;
}

function createRowFinisher(options: BatchOptions, templateName: string): (draft: RowDraft, row: number) => RowRequest {
  const nameFile = createFileNamer();
  const { format } = options.output;
  const stem = templateName.replace(/\.docx$/i, '');
  return (draft, row) => {
    const requestedName = (draft.output?.filename ?? draft.texts?.filename ?? '').trim() || `${stem}-${row}`;
    const filename = nameFile({ row, filename: toSafeFilename(requestedName, format), format });
    const { dataOffset, dataBytes, dataChecksum } = draft;
    const stored = { documentId: newId('doc'), filename, dataOffset, dataBytes, dataChecksum };
    const email = draft.problem === undefined ? toEmail(draft, options) : null;
    const error =
      draft.problem ?? (email !== null && 'problem' in email ? email.problem : findConflict(draft, options));
    if (error !== undefined || (email !== null && 'problem' in email)) {
      return { ...stored, dataBytes: 0, pdfOptions: null, renderOptions: null, email: null, error };
    }
    return {
      ...stored,
      pdfOptions: toPdfOptions(draft, options),
      renderOptions: toRenderOptions(draft, options, email !== null),
      email,
    };
  };
}

/** Finds options of a row that contradict those of its batch. */
function findConflict({ output }: RowDraft, { output: { format }, bundle }: BatchOptions): ErrorRecord | undefined {
  if (output?.pdf !== undefined && format !== 'pdf') {
    return badRow('output.pdf', 'can only be given when the format of the batch is pdf').problem;
  }
  // Encrypted files cannot be merged, and a merged file loses attachments.
  for (const option of ['password', 'permissions', 'attachments', 'invoice'] as const) {
    const value = output?.pdf?.[option];
    if (value === undefined || (Array.isArray(value) && value.length === 0) || bundle !== 'pdf') continue;
    return badRow(`output.pdf.${option}`, 'cannot be given when the batch is bundled as pdf').problem;
  }
  if (output?.onMissing === 'highlight' && format !== 'docx') {
    return badRow('output.onMissing', 'can only be highlight when the format of the batch is docx').problem;
  }
  return undefined;
}

function toEmail(
  { output, texts }: RowDraft,
  options: BatchOptions,
): EmailRequest | { readonly problem: ErrorRecord } | null {
  const email = output?.email ?? texts?.email;
  if (email === undefined) return null;
  const parsed = parseRecipients(email);
  if (!parsed.ok) {
    const [first] = parsed.problems;
    let path = 'output.email';
    for (const key of first?.path ?? []) path += typeof key === 'number' ? `[${key}]` : `.${key}`;
    return badRow(path, first?.message ?? 'is not valid');
  }
  const subject = email.subject?.trim();
  if (subject !== undefined && (subject.length > 500 || /\p{Cc}/u.test(subject) || !subject.isWellFormed())) {
    return badRow('output.email.subject', 'must be one line of at most 500 characters');
  }
  const attachments = output?.email === undefined ? options.output.email?.attachments : output.email.attachments;
  const isBodyOfBatch = output?.email === undefined && options.output.email?.body !== undefined;
  return {
    deliveryId: newId('dlv'),
    ...parsed.recipients,
    subject: subject || null,
    body: output?.email?.body ?? null,
    ...(attachments !== undefined && { attachments }),
    ...(isBodyOfBatch && { isBodyOfBatch }),
  };
}

function toPdfOptions({ output }: RowDraft, options: BatchOptions): RowRequest['pdfOptions'] {
  const { xml } = options.output;
  if (xml !== undefined) return { invoice: withSyntax(xml) };
  const pdf = output?.pdf ?? options.output.pdf ?? null;
  return pdf?.invoice === undefined ? pdf : { ...pdf, archive: 'PDF/A-3b' };
}

function toRenderOptions({ output }: RowDraft, options: BatchOptions, isMailed: boolean): RowRequest['renderOptions'] {
  const defaults = options.output;
  const chosen: RequestedRenderOptions = {
    locale: output?.locale ?? defaults.locale,
    timezone: output?.timezone ?? defaults.timezone,
    onMissing: output?.onMissing ?? defaults.onMissing,
    onMissingGlyph: output?.onMissingGlyph ?? defaults.onMissingGlyph,
    documentDate: toUtc(output?.documentDate ?? defaults.documentDate),
    externalContent:
      output?.docx?.externalContent ?? defaults.docx?.externalContent ?? (isMailed ? 'remove' : undefined),
    docx: defaults.format === 'docx' ? toDocxOptions(defaults.docx, output?.docx) : undefined,
  };
  return Object.values(chosen).every((option) => option === undefined) ? null : chosen;
}
