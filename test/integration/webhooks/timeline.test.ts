import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { ApiDeps } from '../../../src/api/api-deps.ts';
import type { ApiEnv } from '../../../src/api/http/api-env.ts';
import { registerOperations } from '../../../src/api/operation.ts';
import { getTimelineOperation } from '../../../src/api/routes/jobs/get-timeline.ts';
import { acceptDocument } from '../../../src/shared/domain/documents/accept-document.ts';
import { failDocument } from '../../../src/shared/domain/documents/fail-document.ts';
import { claimed, documentRequest, newAccount } from '../../support/domain/accounts.ts';
import { makeDocument, newEndpoint } from '../../support/domain/webhooks.ts';
import { useDatabase } from '../../support/services/database.ts';

const { db } = useDatabase();

/** The timeline of a document as its account reads it. */
async function timelineOf(accountId: string, id: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const app = new Hono<ApiEnv>();
  app.use(async (c, next) => {
    c.set('accountId', accountId);
    c.set('scopes', null);
    await next();
  });
  registerOperations(app, { db, keyUse: { note: () => undefined } } as unknown as ApiDeps, [getTimelineOperation]);
  const answer = await app.request(`/v1/jobs/${id}/timeline`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as readonly Readonly<Record<string, unknown>>[];
}

test('a document has its stages, and the deliveries of its own webhooks', async () => {
  const account = await newAccount(db, { docs: 10 });
  const endpoint = await newEndpoint(db, account.accountId, 'https://example.com/hook');
  const [first, second] = await Promise.all([makeDocument(db, account), makeDocument(db, account)]);
  for (const id of [first, second]) {
    const entries = await timelineOf(account.accountId, id);
    expect(entries.map(({ step }) => step)).toEqual(expect.arrayContaining(['queue', 'render', 'finish', 'webhook']));
    expect(entries.filter(({ step }) => step === 'webhook')).toEqual([
      {
        step: 'webhook',
        status: 'waiting',
        startedAt: expect.any(String),
        nextAttemptAt: expect.any(String),
        attempts: 0,
        eventType: 'document.succeeded',
        deliveryId: expect.stringMatching(/^whd_/),
        webhookId: endpoint.id,
      },
    ]);
    expect(
      entries.filter(({ status }) => status === 'succeeded').every(({ finishedAt }) => finishedAt !== undefined),
    ).toBe(true);
  }
});

test('a waiting document, one in progress and one that failed', async () => {
  const { accountId, templateId } = await newAccount(db, { docs: 10 });
  await newEndpoint(db, accountId, 'https://example.com/hook');
  const { id } = await acceptDocument(db, accountId, documentRequest(templateId));
  expect(await timelineOf(accountId, id)).toEqual([
    { step: 'queue', status: 'waiting', startedAt: expect.any(String) },
  ]);
  const claim = await claimed(db, id);
  expect(await timelineOf(accountId, id)).toMatchObject([
    { step: 'queue', status: 'succeeded' },
    { step: 'render', status: 'running' },
  ]);
  await failDocument(db, claim, { code: 'data_invalid', message: 'no total' });
  const entries = await timelineOf(accountId, id);
  expect(entries.find(({ status }) => status === 'failed')).toMatchObject({
    message: 'no total',
    finishedAt: expect.any(String),
  });
  expect(entries.find(({ step }) => step === 'webhook')).toMatchObject({ eventType: 'document.failed' });
});
