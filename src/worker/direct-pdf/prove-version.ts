import type { Database } from '../../shared/db/client.ts';
import { findDictionaryId } from '../../shared/domain/dictionaries/find-dictionary.ts';
import type { DocumentInclude } from '../../shared/domain/documents/document-record.ts';
import type { ClaimedProof, Verdict } from '../../shared/domain/templates/layout-proofs.ts';
import { type IncludesToResolve, resolveIncludes } from '../../shared/domain/templates/resolve-includes.ts';
import { AppError } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';
import { listClaimedFonts } from '../documents/account-fonts.ts';
import { type FilledDocument, fillForPdf, type PrintedDocument } from '../documents/fill-template.ts';
import { includesLoader } from '../documents/load-includes.ts';
import { type JobRun, startRun } from '../job-run.ts';
import { mostReasons } from '../pdf/direct-process/messages.ts';
import { convertByOffice } from './convert-by-office.ts';
import { describeDifference } from './describe-difference.ts';
import { explainReason } from './explain-reason.ts';
import type { DirectLayout } from './open-direct-layout.ts';
import { type DataCase, varyData } from './vary-data.ts';

const filename = 'document.pdf';
/** The minimum number of equal documents that proves a version. */
const leastCompared = 3;

/**
 * Compares the pages that both engines make of a version, for its example data and many variations. Skips data that the
 * template refuses, and documents that direct layout leaves to LibreOffice. If too few remain, the verdict lists the
 * features that direct layout does not support. Throws when an engine is not available, and once `signal` aborts.
 */
export async function proveVersion(
  deps: WorkerDeps,
  direct: DirectLayout,
  { proof, document }: VersionToProve,
  signal: AbortSignal,
): Promise<Verdict> {
  const template = await deps.templates.load(proof.objectKey, proof.checksum);
  const prover = { deps, job: startRun(deps), direct, document, template };
  let compared = 0;
  const unknown = new Set<string>();
  let refusal: string | undefined;
  for (const one of varyData(proof.schema, proof.example)) {
    signal.throwIfAborted();
    const outcome = await proveCase(prover, one);
    if (outcome === 'equal') compared++;
    else if ('isDifferent' in outcome) return { state: 'office', reasons: [outcome.reason], compared };
    else if ('unknown' in outcome) for (const reason of outcome.unknown) unknown.add(reason);
    else refusal ??= outcome.reason;
  }
  if (compared >= leastCompared) return { state: 'direct', reasons: [], compared };
  const reasons = [...unknown].slice(0, mostReasons).map(explainReason);
  if (reasons.length === 0) reasons.push(refusal ?? 'Too few documents with generated data could be compared.');
  return { state: 'office', reasons, compared };
}

export interface VersionToProve {
  readonly proof: ClaimedProof;
  /** A document of the version, with the templates that it includes now and the account's fonts. */
  readonly document: PrintedDocument;
}

/**
 * A document of a version with the templates that it includes now, and the account's current fonts. Throws
 * `template_invalid` if an included template is missing.
 */
export async function findVersionToProve({ db }: WorkerDeps, proof: ClaimedProof): Promise<VersionToProve> {
  const { accountId, templateId, references } = proof;
  const document: PrintedDocument = {
    accountId,
    templateObjectKey: proof.objectKey,
    templateSyntax: proof.syntax,
    includes: await findIncludes(db, { accountId, references, templateId }),
    dictionaryId: await findDictionaryId(db, accountId),
    filename,
    pdfOptions: undefined,
    renderOptions: undefined,
    documentDate: proof.createdAt,
    accountFonts: await listClaimedFonts(db, accountId),
  };
  return { proof, document };
}

/** What live keys include, or drafts of it while it has no approved version. */
async function findIncludes(db: Database, wanted: IncludesToResolve): Promise<readonly DocumentInclude[]> {
  try {
    return await resolveIncludes(db, wanted);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'version_not_approved') throw error;
    return await resolveIncludes(db, { ...wanted, withDrafts: true });
  }
}

interface Prover extends Pick<VersionToProve, 'document'> {
  readonly deps: WorkerDeps;
  readonly job: JobRun;
  readonly direct: DirectLayout;
  readonly template: Uint8Array;
}

/** With `isDifferent`, the pages differ; otherwise there was nothing to compare. */
type CaseOutcome =
  | 'equal'
  | { readonly reason: string; readonly isDifferent?: true }
  | { readonly unknown: readonly string[] };

async function proveCase(prover: Prover, one: DataCase): Promise<CaseOutcome> {
  const { deps, job, direct, document } = prover;
  const runStep = deps.yieldToInteractive ?? ((work) => work());
  const { accountId: account, templateObjectKey: templateKey } = document;
  const filled = await runStep(() => fill(prover, one.data));
  if (typeof filled === 'string') return { reason: `The template cannot be filled with ${one.name}: ${filled}` };
  const { docx } = filled;
  const laidOut = await runStep(() => direct.pool.convert({ account, templateKey, docx, inspects: true }));
  if (laidOut.kind !== 'made') return { unknown: laidOut.reasons };
  const pdf = await runStep(() => convertByOffice(deps, job, document, filled));
  const { differences } = await runStep(() => direct.comparer.compare(pdf, laidOut.pdf));
  const [first] = differences;
  if (first === undefined) return 'equal';
  return { reason: `With ${one.name}, ${describeDifference(first)}.`, isDifferent: true };
}

/** Returns the filled template, or the reason why it refuses the data. */
async function fill({ deps, job, template, document }: Prover, value: unknown): Promise<FilledDocument | string> {
  const accountWords = await deps.loadWords(document.dictionaryId);
  const loadIncludes = includesLoader(deps.templates, document.includes);
  const content = { template, accountWords, loadIncludes, data: Buffer.from(JSON.stringify(value)) };
  try {
    return await fillForPdf(deps, job, document, content);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error.message;
    throw error;
  }
}
