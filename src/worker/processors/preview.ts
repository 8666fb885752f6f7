import { hash } from 'node:crypto';
import { findDictionaryId } from '../../shared/domain/dictionaries/find-dictionary.ts';
import { listProofs } from '../../shared/domain/templates/list-proofs.ts';
import { AppError, type ErrorRecord, toErrorRecord } from '../../shared/errors.ts';
import type { JobPayload } from '../../shared/queue/contracts.ts';
import {
  type PreviewReply,
  type PreviewTask,
  previewTask,
  previewTtlSeconds,
} from '../../shared/queue/preview-task.ts';
import { publishReply } from '../../shared/queue/replies.ts';
import { defaultSyntax, earlierSyntax } from '../../shared/template-syntax.ts';
import { required, type WorkerDeps } from '../deps.ts';
import type { ProvenVersion } from '../direct-pdf/direct-layout.ts';
import { listAccountFamilies, listClaimedFonts } from '../documents/account-fonts.ts';
import { fillForPdf, type PrintedDocument } from '../documents/fill-template.ts';
import { type FinishedPdf, finishPdf } from '../documents/finish-pdf.ts';
import { layOutPages } from '../documents/lay-out-pages.ts';
import { currentIncludesLoader, includesLoader } from '../documents/load-includes.ts';
import { historyOfPreview } from '../documents/preview-history.ts';
import type { LoadIncludes } from '../docx/sandbox/docx-pool.ts';
import { type JobRun, noteIds, noteJob } from '../job-run.ts';
import { makeExcerpt } from '../pdf/excerpt/make-excerpt.ts';
import { measureWork } from '../supervisor/measure-work.ts';

const maxBytes = 32 * 1024 * 1024;
const lost = 'The data of the preview was lost. Send the request again.';

/**
 * Makes a preview in the same way as `processDocument` makes a PDF, and replies to the API. A preview has no row: its
 * task, data and file are in Redis until the API has responded. Running the job again is harmless.
 */
export async function processPreview(deps: WorkerDeps, job: JobRun, payload: JobPayload<'pdf'>): Promise<void> {
  const { documentId: id, accountId, replyTo, trace } = payload;
  noteIds(job, trace, { accountId });
  const startedAt = performance.now();
  const found = await deps.transient.get('preview', id);
  if (found === undefined) {
    noteJob(job, { outcome: 'skipped' });
    return await publishReply(deps.redis, replyTo, {
      id,
      ok: false,
      error: toErrorRecord(new AppError('unavailable', lost)),
    });
  }
  const task = previewTask.parse(JSON.parse(found.toString('utf8')));
  const { format } = task.excerpt;
  try {
    const queueMs = Math.max(0, Date.now() - task.requestedAtMs);
    const produced = await produce(deps, job, { id, accountId, task });
    const bytes = await excerptOf(job, produced, task);
    // failpoint: preview-made-before-store
    await deps.transient.of(accountId).put('result', id, bytes, previewTtlSeconds(deps.config.WAIT_LIMIT_MS));
    const totalMs = queueMs + performance.now() - startedAt;
    const value = toReply(produced, { queueMs, totalMs, sizeBytes: bytes.length });
    // failpoint: preview-stored-before-reply
    await publishReply(deps.redis, replyTo, { id, ok: true, value }, { bytes, storedAs: id, store: deps.transient });
    deps.metrics.preview(format, 'succeeded');
    noteJob(job, { outcome: 'succeeded', bytes: bytes.length, pages: produced.pages });
  } catch (error) {
    const record = toRecord(job, error);
    deps.metrics.preview(format, 'failed', record.code);
    noteJob(job, { outcome: 'failed', errorCode: record.code });
    await publishReply(deps.redis, replyTo, { id, ok: false, error: record });
  }
}

interface Preview {
  readonly id: string;
  readonly accountId: string;
  readonly task: PreviewTask;
}

async function produce(deps: WorkerDeps, job: JobRun, preview: Preview): Promise<FinishedPdf> {
  const { id, accountId, task } = preview;
  const { template, dataChecksum, filename, documentDate } = task;
  const options = { pdfOptions: task.pdfOptions ?? undefined, renderOptions: task.renderOptions ?? undefined };
  const inputs = template.kind === 'stored' ? { ...template, dataChecksum, ...options } : undefined;
  const history = historyOfPreview(deps, job, { id, accountId, inputs });
  const loadIncludes = template.kind === 'stored' ? undefined : currentIncludesLoader(deps, accountId);
  const dictionaryId = await findDictionaryId(deps.db, accountId);
  const accountWords = await deps.loadWords(dictionaryId);
  const received = loadIncludes && (await takeFile(deps, job, preview, { loadIncludes, accountWords }));
  const document: PrintedDocument = {
    accountId,
    templateObjectKey: template.kind === 'stored' ? template.objectKey : (received?.key ?? ''),
    templateSyntax: template.syntax ?? (template.kind === 'stored' ? earlierSyntax : defaultSyntax),
    includes: template.kind === 'stored' ? (template.includes ?? []) : [],
    dictionaryId,
    filename,
    ...options,
    documentDate: new Date(documentDate),
    accountFonts: await listClaimedFonts(deps.db, accountId),
  };
  const content = {
    ...(await loadFiles(deps, preview, received)),
    accountWords,
    loadIncludes: loadIncludes ?? includesLoader(deps.templates, document.includes),
  };
  const filled = await fillForPdf(deps, job, document, content);
  const of = template.kind === 'stored' ? await findProven(deps, template) : undefined;
  const laidOut = await job.stages.time('convert', () => layOutPages(deps, job, { document, filled, of, history }));
  const watermark = task.isThumbnail === true ? undefined : 'PREVIEW';
  return await finishPdf(deps, job, { document, filled, laidOut, watermark });
}

/** The proofs of a stored template; undefined if direct layout is off. */
async function findProven(
  { db, direct }: WorkerDeps,
  { templateId, templateVersion: version }: { readonly templateId: string; readonly templateVersion: number },
): Promise<ProvenVersion | undefined> {
  return direct && { templateId, version, proofs: await listProofs(db, { templateId, version }) };
}

/** The template, which is stored or was received with the request, and the data. */
async function loadFiles(
  deps: WorkerDeps,
  { id, task: { template } }: Preview,
  received: ReceivedFile | undefined,
): Promise<{ readonly template: Uint8Array; readonly data: Buffer }> {
  const stored = template.kind === 'stored' ? deps.templates.load(template.objectKey, template.checksum) : undefined;
  const [file, data] = await Promise.all([received?.file ?? stored, deps.transient.get('data', id)]);
  if (file === undefined || data === undefined) throw new AppError('unavailable', lost);
  return { template: file, data };
}

interface ReceivedFile {
  readonly file: Buffer;
  /** Identifies the file, its syntax and its included templates, which may change before the next preview. */
  readonly key: string;
}

/** Takes the file of the request. Throws the same errors as an upload of it. */
async function takeFile(
  deps: WorkerDeps,
  job: JobRun,
  { id, accountId, task }: Preview,
  reading: { readonly loadIncludes: LoadIncludes; readonly accountWords: Uint8Array | undefined },
): Promise<ReceivedFile> {
  const file = await deps.transient.get('upload', id);
  if (file === undefined) throw new AppError('unavailable', lost);
  const accountFonts = await listAccountFamilies(deps.db, accountId);
  const fonts = deps.fonts?.coverage();
  const { includes } = await required(deps.docx, 'docx').inspect(file, {
    account: accountId,
    addWorkMs: job.addWorkMs,
    fonts,
    accountFonts,
    syntax: task.template.syntax,
    ...reading,
  });
  const own = includes.length > 0 ? ` ${id}` : '';
  return { file, key: `preview ${hash('sha256', file, 'hex')} ${JSON.stringify(task.template.syntax)}${own}` };
}

/** The requested pages. Throws `invalid_request` for a page that the document does not have. */
async function excerptOf(job: JobRun, { bytes, pages }: FinishedPdf, { excerpt }: PreviewTask): Promise<Uint8Array> {
  if (excerpt.format === 'png' && excerpt.page > pages) {
    const message = `is beyond the last: the document has ${pages} page(s)`;
    const details = [{ type: 'Field' as const, path: 'preview.page', message }];
    throw new AppError('invalid_request', `preview.page: ${message}`, { details });
  }
  const isWhole = excerpt.format === 'pdf' && pages <= excerpt.pages;
  const result = isWhole ? bytes : await measureWork(job.addWorkMs, () => makeExcerpt(bytes, excerpt));
  if (result.length <= maxBytes) return result;
  const message = `The preview has ${Math.ceil(result.length / 1024 / 1024)} MB; the limit is ${maxBytes / 1024 / 1024} MB.`;
  const hint = 'preview fewer pages, one page as a picture, or set output.pdf.imageQuality';
  throw new AppError('render_limit', message, { details: [{ type: 'Message', message, hint }] });
}

function toReply(
  { pages, warnings, renderMs, convertMs }: FinishedPdf,
  { queueMs, totalMs, sizeBytes }: { readonly queueMs: number; readonly totalMs: number; readonly sizeBytes: number },
): PreviewReply {
  const tenth = (ms: number): number => Math.round(ms * 10) / 10;
  const timings = {
    queueMs: tenth(queueMs),
    renderMs: tenth(renderMs),
    convertMs: tenth(convertMs),
    totalMs: tenth(totalMs),
  };
  const warningCodes = [...new Set(warnings.map(({ code }) => code))].sort();
  return { pages, warningCount: warnings.length, warningCodes, timings, sizeBytes };
}

function toRecord({ logger }: JobRun, error: unknown): ErrorRecord {
  if (!(error instanceof AppError)) logger.error({ err: error }, 'a preview failed with an internal error');
  return toErrorRecord(error);
}
