import { findStoredSchema, findTemplate } from '../../../shared/domain/templates/find-template.ts';
import { findVersion } from '../../../shared/domain/templates/find-versions.ts';
import { isReleasedState, notApproved } from '../../../shared/domain/templates/review-states.ts';
import type { ApiDeps } from '../../api-deps.ts';
import type { ReceivingTemplate } from '../../batches/receive-batch.ts';
import type { BatchTemplate } from '../../batches/submit-batch.ts';

/**
 * The version of the template that a batch uses, by default the current one. Throws `version_not_approved`. A version
 * that is approved stays so, hence nothing can change before the batch is written.
 */
export async function findBatchTemplate(
  { db }: ApiDeps,
  accountId: string,
  templateId: string,
  version: number | undefined,
): Promise<BatchTemplate & ReceivingTemplate> {
  const current = version ?? (await findTemplate(db, accountId, templateId)).version;
  const found = await findVersion(db, { accountId, templateId, version: current });
  const { name, objectKey, checksum, includes, reviewState } = found;
  if (!isReleasedState(reviewState)) throw notApproved(current, reviewState);
  const { schema } = await findStoredSchema(db, { accountId, templateId, version: current });
  return { id: templateId, name, version: current, objectKey, checksum, includes, schema };
}
