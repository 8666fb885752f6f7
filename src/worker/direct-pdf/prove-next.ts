import {
  type ClaimedProof,
  claimProof,
  decideProof,
  removeOldProofs,
  takeUploadedVersion,
  type Verdict,
} from '../../shared/domain/templates/layout-proofs.ts';
import type { WorkerDeps } from '../deps.ts';
import type { DirectLayout } from './open-direct-layout.ts';
import { proveVersion } from './prove-version.ts';

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
  const verdict = await decide(deps, direct, proof);
  if (!(await decideProof(deps.db, proof, verdict))) return true;
  await removeOldProofs(deps.db, proof, oldProofDays);
  deps.metrics.layoutProof(verdict.state);
  deps.logger.info(
    { templateId, version, accountId, ...verdict, proofMs: Math.round(performance.now() - startedAt) },
    'the pages of a template were compared',
  );
  return true;
}

/** Throws as long as further attempts may succeed. */
async function decide(deps: WorkerDeps, direct: DirectLayout, proof: ClaimedProof): Promise<Verdict> {
  try {
    return await proveVersion(deps, direct, proof);
  } catch (error) {
    if (proof.attempts < maxAttempts) throw error;
    deps.logger.warn({ err: error, templateId: proof.templateId }, 'the pages of a template cannot be compared');
    return { state: 'office', reasons: ['The pages of both engines could not be compared.'], compared: 0 };
  }
}
