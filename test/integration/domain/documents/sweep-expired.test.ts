import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  clearConversionFailures,
  countConversionFailures,
  recordConversionFailure,
} from '../../../../src/shared/domain/conversion-failures.ts';
import { claimDelivery, markTransmitting } from '../../../../src/shared/domain/deliveries/delivery-attempt.ts';
import { findDelivery } from '../../../../src/shared/domain/deliveries/find-delivery.ts';
import { acceptOnce } from '../../../../src/shared/domain/documents/accept-once.ts';
import { findDocument } from '../../../../src/shared/domain/documents/find-documents.ts';
import { succeedDocument } from '../../../../src/shared/domain/documents/succeed-document.ts';
import { createTemplate } from '../../../../src/shared/domain/templates/create-template.ts';
import { removeTemplate } from '../../../../src/shared/domain/templates/remove-template.ts';
import { ownerKey } from '../../../../src/shared/storage/bucket-owner.ts';
import { docxType } from '../../../../src/shared/storage/media-types.ts';
import type { WorkerDeps } from '../../../../src/worker/deps.ts';
import { emailFileKey } from '../../../../src/worker/documents/email-files.ts';
import { startRun } from '../../../../src/worker/job-run.ts';
import { processMaintenance } from '../../../../src/worker/processors/maintenance.ts';
import {
  claimed,
  documentRequest,
  emailTo,
  finishedDocument,
  newAccount,
  type TestAccount,
  templateInput,
  together,
} from '../../../support/domain/accounts.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { storedKeys } from '../../../support/domain/stored-keys.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';

const { db, pool, url } = await useOwnDatabase();
keepRules(pool);
const sweep = (deps: WorkerDeps) => together(3, () => processMaintenance(deps, startRun(deps), { task: 'sweep' }));
const removeOrphans = (deps: WorkerDeps, olderThanSeconds = -10) =>
  processMaintenance({ ...deps, config: { ...deps.config, ORPHAN_AGE_SECONDS: olderThanSeconds } }, startRun(deps), {
    task: 'orphans',
  });

/** A finished document that is kept in the file store for some time and, if requested, mailed with another file. */
async function keptDocument({ objects }: WorkerDeps, ttlSeconds: number, isMailed = false) {
  const { accountId, accept } = await newAccount(db, { docs: 5 });
  const attachments = [{ name: 'a.xml', mediaType: 'application/xml', asset: 'a.xml' }];
  const email = { ...emailTo('a@example.com'), attachments };
  const id = await accept({ isKept: true, email: isMailed ? email : null });
  const claim = await claimed(db, id);
  const document = finishedDocument(claim, { ttlSeconds });
  await objects.put(document.result.key, randomBytes(100), 'application/pdf');
  const fileKey = emailFileKey(document.result.key, 0, 'digest');
  if (isMailed) await objects.put(fileKey, randomBytes(10), 'application/octet-stream');
  await succeedDocument(db, claim, document);
  return { accountId, id, deliveryId: email.deliveryId, objectKey: document.result.key, fileKey };
}

const stored = async ({ objects }: WorkerDeps) => (await storedKeys(objects, '')).filter((key) => key !== ownerKey);

describe('the sweep of results', () => {
  it('removes the object and the row of every expired document, and no other', async () => {
    const deps = await newWorkerDeps(db, url);
    const old = await together(60, () => keptDocument(deps, 0));
    const young = await keptDocument(deps, 3_600);
    await sweep(deps);
    expect(await stored(deps)).toEqual([young.objectKey]);
    expect((await findDocument(db, young.id))?.result).toBeDefined();
    for (const { id } of old) {
      expect(await findDocument(db, id)).toMatchObject({ status: 'succeeded', result: undefined });
    }
  });

  it('leaves a document whose e-mail is in progress', async () => {
    const deps = await newWorkerDeps(db, url);
    const mailed = await keptDocument(deps, 0, true);
    await sweep(deps);
    expect(await stored(deps)).toEqual([mailed.objectKey, mailed.fileKey]);
    await pool.query(
      `update deliveries set status = 'sent', finished_at = now(), recipients = '[{"address": "a@example.com", "status": "sent"}]'
        where id = $1`,
      [mailed.deliveryId],
    );
    await sweep(deps);
    expect(await stored(deps)).toEqual([]);
  });

  it('continues when an object is already deleted, and removes old keys', async () => {
    const deps = await newWorkerDeps(db, url);
    const old = await keptDocument(deps, 0);
    await deps.objects.remove([old.objectKey]);
    const { accountId, templateId } = await newAccount(db, { docs: 5 });
    for (const [key, ttlSeconds] of [
      ['old', 0],
      ['new', 60],
    ] as const) {
      const claim = { key, operation: 'POST generate', requestHash: 'body', ttlSeconds };
      await acceptOnce(db, accountId, documentRequest(templateId), claim);
    }
    await sweep(deps);
    expect((await findDocument(db, old.id))?.result).toBeUndefined();
    const { rows } = await pool.query('select key from idempotency_keys where account_id = $1', [accountId]);
    expect(rows).toEqual([{ key: 'new' }]);
  });
});

describe('the sweep of deliveries', () => {
  it('enqueues one job for a delivery that is due, however often it runs', async () => {
    const deps = await newWorkerDeps(db, url);
    const { deliveryId } = await keptDocument(deps, 3_600, true);
    for (let round = 0; round < 3; round++) await sweep(deps);
    expect(await deps.queues.has('mail', `${deliveryId}.due`)).toBe(true);
    const { rows } = await pool.query<{ due: number }>(
      `select count(*)::int as due from deliveries where status = 'pending'`,
    );
    expect(await deps.queues.countWaiting('mail')).toBe(rows[0]?.due);
  });

  it('ends deliveries that a lost worker was completing as unknown', async () => {
    const deps = await newWorkerDeps(db, url);
    const { accountId, deliveryId } = await keptDocument(deps, 3_600, true);
    const attempt = await claimDelivery(db, deliveryId, 60_000);
    if (attempt !== undefined) await markTransmitting(db, attempt, 0);
    await sweep(deps);
    expect(await findDelivery(db, accountId, deliveryId)).toMatchObject({ status: 'unknown' });
    expect(await deps.queues.has('mail', `${deliveryId}.due`)).toBe(false);
  });

  it('ends a delivery that was resent just as its document expired', async () => {
    const deps = await newWorkerDeps(db, url);
    const { accountId, id, deliveryId } = await keptDocument(deps, 3_600, true);
    await pool.query('update generations set result_store = null, result_key = null, email = null where id = $1', [id]);
    await sweep(deps);
    expect(await findDelivery(db, accountId, deliveryId)).toMatchObject({
      status: 'failed',
      lastReply: 'the document is no longer kept',
    });
  });
});

describe('the sweep of templates', () => {
  it('removes the files of a deleted template once no accepted document needs them', async () => {
    const deps = await newWorkerDeps(db, url);
    const { accountId, templateId, accept } = await newAccount(db, { docs: 5, templates: 5 });
    const input = templateInput(accountId);
    await createTemplate(db, input);
    await deps.objects.put(input.objectKey, randomBytes(100), 'application/pdf');
    const id = await accept({ templateId: input.id });
    await removeTemplate(db, accountId, input.id);
    await sweep(deps);
    expect(await stored(deps)).toEqual([input.objectKey]);
    await pool.query(`update templates set deleted_at = now() - interval '2 minutes' where id = $1`, [input.id]);
    await sweep(deps);
    expect(await stored(deps)).toEqual([input.objectKey]);
    const claim = await claimed(db, id);
    await succeedDocument(db, claim, finishedDocument(claim));
    await sweep(deps);
    expect(await stored(deps)).toEqual([]);
    const { rows } = await pool.query('select id from templates where account_id = $1', [accountId]);
    expect(rows).toEqual([{ id: templateId }]);
  });
});

describe('the sweep of orphaned objects', () => {
  it('removes objects that no row refers to, and nothing else', async () => {
    const deps = await newWorkerDeps(db, url);
    const kept = await keptDocument(deps, 3_600, true);
    const { accountId, accept } = await newAccount(db, { docs: 5, templates: 5 });
    const input = templateInput(accountId);
    await createTemplate(db, input);
    const needed = [kept.objectKey, kept.fileKey, input.objectKey, `results/${accountId}/${await accept()}/att_1.docx`];
    const orphan = [
      `templates/${accountId}/${input.id}/upl_lost.docx`,
      `results/${kept.accountId}/${kept.id}/att_lost.docx`,
      `results/${accountId}/doc_unknown/att_1.docx`,
      'results/odd',
      'quarantine/a/b.docx',
    ];
    for (const key of [...needed, ...orphan]) await deps.objects.put(key, randomBytes(10), 'application/pdf');
    await removeOrphans(deps, 3_600);
    expect(await stored(deps)).toHaveLength(needed.length + orphan.length);
    await removeOrphans(deps);
    expect(await stored(deps)).toEqual([...needed].sort());
  });
});

describe('the file of a quarantined document', () => {
  /** Records a failure of a document with its file, as a worker does. */
  async function fail(deps: WorkerDeps, { accountId, templateId }: TestAccount, fingerprint: string): Promise<string> {
    const evidenceKey = `quarantine/${accountId}/${fingerprint}/${randomUUID()}.docx`;
    await deps.objects.put(evidenceKey, Buffer.from('the filled document'), docxType);
    const failure = { fingerprint, accountId, templateId, documentId: 'doc_1', templateVersion: 1 };
    await recordConversionFailure(db, { ...failure, reason: 'worker_lost', evidenceKey, sizeBytes: 19 });
    return evidenceKey;
  }

  it('is removed with its quarantine after the retention period', async () => {
    const deps = await newWorkerDeps(db, url);
    const account = await newAccount(db, { templates: 1 });
    const old = Array.from({ length: 120 }, () => randomUUID());
    for (const fingerprint of old) await fail(deps, account, fingerprint);
    await pool.query(`update conversion_failures set updated_at = now() - interval '15 days'`);
    const young = randomUUID();
    const youngKey = await fail(deps, account, young);
    await sweep(deps);
    expect(await stored(deps)).toEqual([youngKey]);
    expect(await countConversionFailures(db, old[0] ?? '')).toBe(0);
    expect(await countConversionFailures(db, young)).toBe(1);
  });

  it('is an orphan when the quarantine was lifted, or when the document failed again', async () => {
    const deps = await newWorkerDeps(db, url);
    const account = await newAccount(db, { templates: 1 });
    const [lifted, repeated] = [randomUUID(), randomUUID()];
    await fail(deps, account, lifted);
    await fail(deps, account, repeated);
    const latest = await fail(deps, account, repeated);
    await clearConversionFailures(db, lifted);
    await removeOrphans(deps);
    expect(await stored(deps)).toEqual([latest]);
  });

  it('is removed with its template', async () => {
    const deps = await newWorkerDeps(db, url);
    const [gone, other] = [await newAccount(db, { templates: 1 }), await newAccount(db, { templates: 1 })];
    const fingerprint = randomUUID();
    await fail(deps, gone, fingerprint);
    const othersKey = await fail(deps, other, randomUUID());
    await removeTemplate(db, gone.accountId, gone.templateId);
    await pool.query(`update templates set deleted_at = now() - interval '1 hour' where deleted_at is not null`);
    await sweep(deps);
    expect(await stored(deps)).toEqual([othersKey]);
    expect(await countConversionFailures(db, fingerprint)).toBe(0);
  });
});
