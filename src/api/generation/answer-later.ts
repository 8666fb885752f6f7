import type { Context } from 'hono';
import { findOwnGeneration } from '../../shared/domain/generations/find-generation.ts';
import type { ApiDeps } from '../context.ts';
import type { ApiEnv } from '../env.ts';
import { toJob } from '../routes/jobs/job.ts';
import { type AcceptedDocument, enqueueDocument } from './accept-document.ts';

/** Queues an accepted document and answers 202 with its job (RFC 7240, `respond-async`). */
export async function answerLater(c: Context<ApiEnv>, deps: ApiDeps, document: AcceptedDocument): Promise<Response> {
  await enqueueDocument(deps, document);
  const job = toJob(await findOwnGeneration(deps.db, c.get('accountId'), document.id));
  return c.json(job, 202, { Location: `/v1/jobs/${job.id}`, 'Preference-Applied': 'respond-async' });
}
