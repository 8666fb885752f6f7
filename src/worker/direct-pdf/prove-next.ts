import {
  type ClaimedProof,
  claimProof,
  decideProof,
  notComparedReason,
  releaseClaim,
  removeOldProofs,
  renewClaim,
  replaceProof,
  takeAbandonedVersion,
  takeUploadedVersion,
  type Verdict,
} from '../../shared/domain/templates/layout-proofs.ts';
import { AppError } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';
import { proofKeyOf } from './layout-key.ts';
import type { DirectLayout } from './open-direct-layout.ts';
import { findVersionToProve, proveVersion } from './prove-version.ts';

/**
 * Another worker takes over a comparison whose claim has not been renewed for this time, because the process has died.
 * If it only could not reach the database, the comparison runs twice and the first verdict counts.
 */
const leaseSeconds = 60;
const renewEveryMs = 15_000;
/** Comparisons that wait for engines without workers are made with others after this time. */
const abandonedSeconds = 600;
const maxAttempts = 3;
const cannotBeCompared: Verdict = {
  state: 'office',
  reasons: [notComparedReason],
  compared: 0,
};
const oldProofDays = 30;

/**
 * Compares one version, or schedules an uploaded or abandoned one to be compared next. Returns false when none is
 * waiting. When `signal` aborts, the comparison ends after the current document and another worker begins it again.
 */
export async function proveNext(
  deps: WorkerDeps,
  direct: DirectLayout,
  signal: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  const layoutKey = await direct.key();
  if (layoutKey === undefined) return false;
  const proof = await claimProof(deps.db, layoutKey, leaseSeconds);
  if (proof === undefined)
    return (
      (await takeUploadedVersion(deps.db, layoutKey)) ||
      (await takeAbandonedVersion(deps.db, layoutKey, abandonedSeconds))
    );
  const { templateId, version, accountId } = proof;
  const startedAt = performance.now();
  // failpoint: proof-claimed-before-decision
  const verdict = await whileClaimed(deps, proof, () => decide(deps, direct, { proof, layoutKey, signal }));
  if (verdict === 'replaced' || verdict === 'stopped') return true;
  if (!(await decideProof(deps.db, proof, verdict))) return true;
  await removeOldProofs(deps.db, proof, oldProofDays);
  deps.metrics.layoutProof(verdict.state);
  deps.logger.info(
    { templateId, version, accountId, ...verdict, proofMs: Math.round(performance.now() - startedAt) },
    'the pages of a template were compared',
  );
  return true;
}

/** Renews the claim of a comparison as long as it takes. */
async function whileClaimed<T>({ db, logger }: WorkerDeps, proof: ClaimedProof, work: () => Promise<T>): Promise<T> {
  const renew = () =>
    void renewClaim(db, proof, leaseSeconds).catch((error: unknown) =>
      logger.warn({ err: error, templateId: proof.templateId }, 'the claim of a comparison could not be renewed'),
    );
  const timer = setInterval(renew, renewEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

interface Deciding {
  readonly proof: ClaimedProof;
  /** The layout key of the engines. */
  readonly layoutKey: string;
  readonly signal: AbortSignal;
}

/**
 * Compares a version. If the included templates or the account's fonts have changed since this proof was requested,
 * requests a proof with the current ones instead. Throws if a further attempt may succeed.
 */
async function decide(
  deps: WorkerDeps,
  direct: DirectLayout,
  { proof, layoutKey, signal }: Deciding,
): Promise<Verdict | 'replaced' | 'stopped'> {
  // Each earlier attempt ended with its process.
  if (proof.attempts > maxAttempts) return cannotBeCompared;
  try {
    const version = await findVersionToProve(deps, proof);
    const current = proofKeyOf(layoutKey, version.document);
    if (current === proof.layoutKey) return await proveVersion(deps, direct, version, signal);
    await replaceProof(deps.db, proof.accountId, proof, current);
    return 'replaced';
  } catch (error) {
    if (signal.aborted) {
      await releaseClaim(deps.db, proof);
      return 'stopped';
    }
    if (error instanceof AppError && error.code === 'template_invalid')
      return { state: 'office', reasons: [reasonOf(error)], compared: 0 };
    if (proof.attempts < maxAttempts) throw error;
    deps.logger.warn({ err: error, templateId: proof.templateId }, 'the pages of a template cannot be compared');
    return cannotBeCompared;
  }
}

/** The reason why an included template cannot be used. */
function reasonOf({ message, details }: AppError): string {
  const [first] = details ?? [];
  return first !== undefined && 'message' in first ? first.message : message;
}
