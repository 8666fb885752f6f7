import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFileNamer } from '../../shared/domain/batches/file-names.ts';
import type { RowRequest } from '../../shared/domain/batches/insert-rows.ts';
import type { EmailRequest } from '../../shared/domain/generations/generation-record.ts';
import type { ErrorRecord } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { parseRecipients } from '../../shared/mail-address.ts';
import { toSafeFilename } from '../generation/output-filename.ts';
import type { BatchOptions } from './batch-request.ts';
import type { RowDraft } from './collect-rows.ts';
import { badRow } from './source-row.ts';

const rowsAtOnce = 200;

/** The rows as they will be accepted; with `error` those that will fail alone. Lets others have a turn now and then. */
export async function finishRows(
  drafts: readonly RowDraft[],
  options: BatchOptions,
  templateName: string,
): Promise<RowRequest[]> {
  const finish = createFinisher(options, templateName);
  const rows: RowRequest[] = [];
  for (const draft of drafts) {
    if (rows.length % rowsAtOnce === 0) await nextTurn();
    rows.push(finish(draft, rows.length + 1));
  }
  return rows;
}

function createFinisher(options: BatchOptions, templateName: string): (draft: RowDraft, row: number) => RowRequest {
  const nameFile = createFileNamer();
  const { format } = options.output;
  const stem = templateName.replace(/\.docx$/i, '');
  return (draft, row) => {
    const wanted = (draft.output?.filename ?? draft.texts?.filename ?? '').trim() || `${stem}-${row}`;
    const filename = nameFile({ row, filename: toSafeFilename(wanted, format), format });
    const { dataOffset, dataBytes, dataChecksum } = draft;
    const place = { generationId: newId('doc'), filename, dataOffset, dataBytes, dataChecksum };
    const email = draft.problem === undefined ? toEmail(draft, options) : null;
    const error = draft.problem ?? (email !== null && 'problem' in email ? email.problem : toClash(draft, options));
    if (error !== undefined || (email !== null && 'problem' in email)) {
      return { ...place, dataBytes: 0, pdfOptions: null, renderOptions: null, email: null, error };
    }
    return {
      ...place,
      pdfOptions: toPdfOptions(draft, options),
      renderOptions: toRenderOptions(draft, options),
      email,
    };
  };
}

/** What a row's own options and the batch's cannot be together. */
function toClash({ output }: RowDraft, { output: { format }, bundle }: BatchOptions): ErrorRecord | undefined {
  if (output?.pdf !== undefined && format !== 'pdf') {
    return badRow('output.pdf', 'can only be given when the format of the batch is pdf').problem;
  }
  // Both encrypt the file, which cannot be merged then.
  for (const option of ['password', 'permissions'] as const) {
    if (output?.pdf?.[option] === undefined || bundle !== 'pdf') continue;
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
  const wanted = output?.email ?? texts?.email;
  if (wanted === undefined) return null;
  const parsed = parseRecipients(wanted);
  if (!parsed.ok) {
    const [first] = parsed.problems;
    let path = 'output.email';
    for (const step of first?.path ?? []) path += typeof step === 'number' ? `[${step}]` : `.${step}`;
    return badRow(path, first?.message ?? 'is not valid');
  }
  const subject = wanted.subject?.trim();
  if (subject !== undefined && (subject.length > 500 || /\p{Cc}/u.test(subject) || !subject.isWellFormed())) {
    return badRow('output.email.subject', 'must be one line of at most 500 characters');
  }
  const isBodyOfBatch = output?.email === undefined && options.output.email?.body !== undefined;
  return {
    ...{ deliveryId: newId('dlv'), ...parsed.recipients, subject: subject || null, body: output?.email?.body ?? null },
    ...(isBodyOfBatch && { isBodyOfBatch }),
  };
}

function toPdfOptions({ output }: RowDraft, options: BatchOptions): RowRequest['pdfOptions'] {
  return output?.pdf ?? options.output.pdf ?? null;
}

function toRenderOptions({ output }: RowDraft, options: BatchOptions): RowRequest['renderOptions'] {
  const of = options.output;
  const chosen = {
    locale: output?.locale ?? of.locale,
    timezone: output?.timezone ?? of.timezone,
    onMissing: output?.onMissing ?? of.onMissing,
  };
  return Object.values(chosen).every((option) => option === undefined) ? null : chosen;
}
