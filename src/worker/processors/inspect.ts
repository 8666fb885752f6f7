import { hash } from 'node:crypto';
import { findDictionaryId } from '../../shared/domain/dictionaries/find-dictionary.ts';
import { AppError, toErrorRecord } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { JobPayload } from '../../shared/queue/contracts.ts';
import type { FontReply, InspectionReply, InvoiceReply, PictureReply } from '../../shared/queue/document-reply.ts';
import { publishReply, type Reply } from '../../shared/queue/replies.ts';
import { required, type WorkerDeps } from '../deps.ts';
import { listAccountFamilies } from '../documents/account-fonts.ts';
import { currentIncludesLoader } from '../documents/load-includes.ts';
import type { LoadAssets, LoadIncludes, RenderOptions, TemplateReport, Warning } from '../docx/sandbox/docx-pool.ts';
import { describeDifference } from '../einvoice/describe-difference.ts';
import type { ComparedInspection } from '../einvoice/inspect-invoice.ts';
import type { InvoiceDifference } from '../einvoice/pages/difference.ts';
import { type JobRun, noteIds, noteJob } from '../job-run.ts';

const cleanFontTtlSeconds = 300;

/** Inspects an uploaded template, picture, font or invoice in a sandboxed process and replies to the API. */
export async function processInspect(deps: WorkerDeps, job: JobRun, payload: JobPayload<'inspect'>): Promise<void> {
  const docx = required(deps.docx, 'docx');
  const { uploadId, accountId, replyTo, trace, kind, hasSample, sampleOptions, syntax, invoiceMap } = payload;
  noteIds(job, trace, { accountId });
  const bytes = await deps.transient.get('upload', uploadId);
  if (bytes === undefined) return noteJob(job, { outcome: 'skipped' });
  const reply = await answer(job, uploadId, async () => {
    if (kind === 'picture') return docx.inspectPicture(bytes, accountId, job.addWorkMs);
    if (kind === 'invoice') return toInvoiceReply(await docx.inspectInvoice(bytes, accountId, job.addWorkMs));
    if (kind === 'font') return inspectFont(deps, job, bytes, accountId);
    const fonts = deps.fonts?.coverage();
    const accountFonts = fonts === undefined ? [] : await listAccountFamilies(deps.db, accountId);
    const loadIncludes = currentIncludesLoader(deps, accountId);
    const dictionaryId = await findDictionaryId(deps.db, accountId);
    const accountWords = await deps.loadWords(dictionaryId);
    const owner = { account: accountId, addWorkMs: job.addWorkMs };
    const report = await docx.inspect(bytes, {
      ...owner,
      fonts,
      accountFonts,
      syntax,
      loadIncludes,
      accountWords,
      invoiceMap,
    });
    return toReply(
      report,
      hasSample === true
        ? await renderSample(deps, job, bytes, {
            uploadId,
            accountId,
            options: { ...sampleOptions, syntax },
            loadIncludes,
            hasIncludes: report.includes.length > 0,
            dictionaryId,
            accountWords,
          })
        : [],
    );
  });
  // A refused file also counts as inspected.
  noteJob(job, { bytes: bytes.length, ...(!reply.ok && { errorCode: reply.error.code }) });
  await publishReply(deps.redis, replyTo, reply);
}

/** Rebuilds a font for the API to store. The result has its own id, so that a repeated job still finds the upload. */
async function inspectFont(deps: WorkerDeps, job: JobRun, bytes: Buffer, accountId: string): Promise<FontReply> {
  const { report, file } = await required(deps.docx, 'docx').inspectFont(bytes, accountId, job.addWorkMs);
  const cleanUploadId = newId('upl');
  await deps.transient.of(accountId).put('upload', cleanUploadId, file, cleanFontTtlSeconds);
  return { ...report, familyNames: [...report.familyNames], coverage: [...report.coverage], cleanUploadId };
}

interface Sample {
  readonly uploadId: string;
  readonly accountId: string;
  readonly options: RenderOptions | undefined;
  readonly loadIncludes: LoadIncludes;
  readonly hasIncludes: boolean;
  readonly dictionaryId: string | undefined;
  readonly accountWords: Uint8Array | undefined;
}

/** Renders the upload with its sample data, as a generate request would, and returns the warnings. */
async function renderSample(
  deps: WorkerDeps,
  job: JobRun,
  template: Buffer,
  { uploadId, accountId, options, loadIncludes, hasIncludes, dictionaryId, accountWords }: Sample,
): Promise<readonly Warning[]> {
  const data = await deps.transient.get('data', uploadId);
  if (data === undefined) throw new AppError('unavailable', 'The sample data was lost. Send the request again.');
  // Included templates may change, so a parsed template with includes is not shared with other requests.
  const own = hasIncludes ? ` ${uploadId}` : '';
  const templateKey = `sample ${hash('sha256', template, 'hex')} ${JSON.stringify(options?.syntax)} ${dictionaryId}${own}`;
  const loadAssets: LoadAssets = (names) => deps.loadAssets(accountId, names);
  const { warnings } = await required(deps.docx, 'docx').render({
    account: accountId,
    addWorkMs: job.addWorkMs,
    templateKey,
    template,
    accountWords,
    data,
    target: 'docx',
    options,
    loadAssets,
    loadIncludes,
  });
  return warnings;
}

async function answer(
  job: JobRun,
  id: string,
  inspect: () => Promise<InspectionReply | PictureReply | FontReply | InvoiceReply>,
): Promise<Reply> {
  try {
    return { id, ok: true, value: await inspect() };
  } catch (error) {
    if (!(error instanceof AppError))
      job.logger.error({ err: error, uploadId: id }, 'an upload could not be inspected');
    return { id, ok: false, error: toErrorRecord(error) };
  }
}

function toInvoiceReply({
  attachment,
  profile,
  customizationId,
  comparison,
  ...report
}: ComparedInspection): InvoiceReply {
  return {
    ...report,
    profile: profile ?? null,
    specification: customizationId,
    ruleSets: [...report.ruleSets],
    findings: report.findings.map((finding) => ({ ...finding, businessTerms: [...finding.businessTerms] })),
    differences: comparison?.differences?.map(toDifference) ?? null,
    hasMoreDifferences: comparison?.hasMore ?? false,
    attachment:
      attachment === undefined
        ? null
        : {
            name: attachment.name,
            conformanceLevel: attachment.conformanceLevel ?? null,
            relationship: attachment.relationship ?? null,
          },
  };
}

function toDifference(difference: InvoiceDifference): NonNullable<InvoiceReply['differences']>[number] {
  const { type: _type, businessTerms, ...shown } = describeDifference(difference);
  return { ...shown, businessTerms: [...businessTerms] };
}

function toReply(
  { tags, fonts, warnings, accessibility, schema, example, includes }: TemplateReport,
  ofSample: readonly Warning[],
): InspectionReply {
  return {
    tags: [...tags],
    fonts: [...fonts],
    includes: [...includes],
    schema,
    example,
    warnings: [...warnings, ...ofSample].map(toWarning),
    accessibility: accessibility.map(({ code, message, count = 1 }) => ({ code, message, count })),
  };
}

function toWarning({ code, message, part, paths, count }: Warning): InspectionReply['warnings'][number] {
  return {
    code,
    message,
    ...(part !== undefined && { part }),
    ...(paths !== undefined && { paths: [...paths] }),
    ...(count !== undefined && { count }),
  };
}
