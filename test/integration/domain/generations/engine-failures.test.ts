import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { findGeneration } from '../../../../src/shared/domain/generations/find-generations.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { openReplyChannel, type Reply } from '../../../../src/shared/queue/replies.ts';
import { exceededHeap, exceededTime } from '../../../../src/worker/docx/sandbox/limit-errors.ts';
import { EngineError } from '../../../../src/worker/engine-error.ts';
import { type ProducedDocument, runAttempt } from '../../../../src/worker/generation/run-attempt.ts';
import { conversionLate, officeLost } from '../../../../src/worker/pdf/office/office-error.ts';
import { documentRequest, newAccount } from '../../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { newPrefix, silent, useRedis } from '../../../support/services/redis.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';

const { db, url } = await useOwnDatabase();
const made: ProducedDocument = {
  bytes: randomBytes(100),
  pages: 2,
  engine: null,
  warnings: [],
  renderMs: 1,
  convertMs: 2,
};

/** Documents of one template, produced by a worker. */
async function newTemplate() {
  const deps = await newWorkerDeps(db, url);
  const { accountId, templateId } = await newAccount(db, { docs: 20 });
  const channel = await openReplyChannel(await useRedis('subscriber'), newPrefix(), silent);
  onTestFinished(() => channel.close());
  /** Runs the job as often as its queue would; each run throws the next error, or succeeds without one. */
  const produceAs = async (format: 'docx' | 'pdf', ...errors: readonly Error[]) => {
    const request = documentRequest(templateId, { format });
    await acceptGeneration(db, accountId, request);
    await deps.transient.put('data', request.id, Buffer.from('{}'), 600);
    const replies: Reply[] = [];
    channel.expect(request.id, (reply) => replies.push(reply));
    let runs = 0;
    const run = async (): Promise<boolean> => {
      const payload = { generationId: request.id, replyTo: channel.name };
      const isDone = runAttempt(deps, payload, async () => {
        const error = errors[runs++];
        if (error !== undefined) throw error;
        return made;
      }).then(
        () => true,
        () => false,
      );
      return isDone;
    };
    for (let attempt = 0; attempt < 3; attempt++) if (await run()) break;
    await expect.poll(() => replies).toHaveLength(1);
    const row = await findGeneration(db, request.id);
    return { runs, outcome: row?.error?.code ?? row?.status, message: row?.error?.message };
  };
  const produce = (...errors: readonly Error[]) => produceAs('pdf', ...errors);
  return { produce, produceAs, remaining: async () => (await readQuotas(db, accountId)).remaining.total.docs };
}

describe('a document that takes an engine with it', () => {
  it.each([
    ['conversion_timeout', conversionLate(60_000)],
    ['render_limit', exceededTime('render', 10_000)],
    ['render_limit', exceededHeap('render', 512)],
  ])('is not tried again after a limit (%s)', async (outcome, error) => {
    const { produce, remaining } = await newTemplate();
    expect(await produce(error)).toMatchObject({ runs: 1, outcome });
    expect(error.status).toBe(400);
    expect(await remaining()).toBe(20);
  });

  it('is tried once again after a crash', async () => {
    const { produce } = await newTemplate();
    expect(await produce(officeLost())).toMatchObject({ runs: 2, outcome: 'succeeded' });
    expect(await produce(officeLost(), officeLost())).toMatchObject({ runs: 2, outcome: 'worker_lost' });
  });

  it('suspends its template with others like it, whatever their data; documents are refused at once and not charged', async () => {
    const { produce, remaining } = await newTemplate();
    for (let time = 0; time < 3; time++) await produce(conversionLate(60_000));
    const refused = await produce();
    expect(refused).toMatchObject({ runs: 0, outcome: 'template_suspended' });
    const until = Date.parse(/until (\S+Z):/.exec(refused.message ?? '')?.[1] ?? '') - Date.now();
    expect(Math.round(until / 60_000)).toBe(10);
    expect(await remaining()).toBe(20);
  });

  it('stops only PDFs when conversions failed, and every format when renders failed', async () => {
    const converted = await newTemplate();
    for (let time = 0; time < 3; time++) {
      await converted.produce(conversionLate(60_000));
      // Making a .docx does not end the count.
      expect(await converted.produceAs('docx')).toMatchObject({ outcome: 'succeeded' });
    }
    expect(await converted.produce()).toMatchObject({ outcome: 'template_suspended' });
    expect(await converted.produceAs('docx')).toMatchObject({ outcome: 'succeeded' });
    const rendered = await newTemplate();
    for (let time = 0; time < 3; time++) await rendered.produce(exceededTime('render', 10_000));
    expect(await rendered.produceAs('docx')).toMatchObject({ outcome: 'template_suspended' });
  });

  it('is not counted again when it is quarantined', async () => {
    const { produce } = await newTemplate();
    const quarantined = new EngineError('document_quarantined', 'failed twice', true);
    await produce(conversionLate(60_000));
    for (let time = 0; time < 4; time++) await produce(quarantined);
    expect(await produce()).toMatchObject({ outcome: 'succeeded' });
  });

  it('does not suspend its template when others of it succeed', async () => {
    const { produce } = await newTemplate();
    for (let time = 0; time < 3; time++) {
      await produce(conversionLate(60_000));
      await produce(conversionLate(60_000));
      expect(await produce()).toMatchObject({ outcome: 'succeeded' });
    }
  });
});
