import {
  type ClaimedProof,
  claimProof,
  decideProof,
  removeOldProofs,
  replaceProof,
  takeUploadedVersion,
  type Verdict,
} from '../../shared/domain/templates/layout-proofs.ts';
import { AppError } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';
import { proofKeyOf } from './layout-key.ts';
import type { DirectLayout } from './open-direct-layout.ts';
import { findVersionToProve, proveVersion } from './prove-version.ts';

/**
 * After this time another worker may take over the comparison, because the process may have died. If interactive
 * requests delay a comparison for longer, it runs twice and the first verdict counts.
 */
const leaseSeconds = 600;
const maxAttempts = 3;
const oldProofDays = 30;

/** Compares one version, or schedules an uploaded version to be compared next. Returns false when none is waiting. */
export async function proveNext(deps: WorkerDeps, direct: DirectLayout): Promise<boolean> {
  const layoutKey = await direct.key();
  if (layoutKey === undefined) return false;
  const proof = await claimProof(deps.db, layoutKey, leaseSeconds);
  if (proof === undefined) return takeUploadedVersion(deps.db, layoutKey);
  const { templateId, version, accountId } = proof;
  const startedAt = performance.now();
  // failpoint: proof-claimed-before-decision
  const verdict = await decide(deps, direct, { proof, layoutKey });
  if (verdict === 'replaced') return true;
  if (!(await decideProof(deps.db, proof, verdict))) return true;
  await removeOldProofs(deps.db, proof, oldProofDays);
  deps.metrics.layoutProof(verdict.state);
  deps.logger.info(
    { templateId, version, accountId, ...verdict, proofMs: Math.round(performance.now() - startedAt) },
    'the pages of a template were compared',
  );
  return true;
}

interface Deciding {
  readonly proof: ClaimedProof;
  /** The layout key of the engines. */
  readonly layoutKey: string;
}

/**
 * Compares a version. If the included templates or the account's fonts have changed since this proof was requested,
 * requests a proof with the current ones instead. Throws if a further attempt may succeed.
 */
async function decide(
  deps: WorkerDeps,
  direct: DirectLayout,
  { proof, layoutKey }: Deciding,
): Promise<Verdict | 'replaced'> {
  try {
    const version = await findVersionToProve(deps, proof);
    const current = proofKeyOf(layoutKey, version.document);
    if (current === proof.layoutKey) return await proveVersion(deps, direct, version);
    await replaceProof(deps.db, proof.accountId, proof, current);
    return 'replaced';
  } catch (error) {
    if (error instanceof AppError && error.code === 'template_invalid')
      return { state: 'office', reasons: [reasonOf(error)], compared: 0 };
    if (proof.attempts < maxAttempts) throw error;
    deps.logger.warn({ err: error, templateId: proof.templateId }, 'the pages of a template cannot be compared');
    return { state: 'office', reasons: ['The pages of both engines could not be compared.'], compared: 0 };
  }
}

/** The reason why an included template cannot be used. */
function reasonOf({ message, details }: AppError): string {
  const [first] = details ?? [];
  return first !== undefined && 'message' in first ? first.message : message;
}
