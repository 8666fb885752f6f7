import { hash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { type PreviewTask, previewLossesKey, previewReply } from '../../../src/shared/queue/preview-task.ts';
import { openReplyChannel, type Reply } from '../../../src/shared/queue/replies.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { startRun } from '../../../src/worker/job-run.ts';
import { processPreview } from '../../../src/worker/processors/preview.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { contents, fieldStyles, styled } from '../../support/documents/field-builder.ts';
import { newAccount } from '../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { silent, useRedis } from '../../support/services/redis.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';
import { crashingPool } from './office/crashing-pool.ts';
import { newDocxPool } from './office/pool-for-test.ts';

const { db, pool, url } = await useOwnDatabase();
const data = Buffer.from('{"name":"Ada"}');

async function newScene(deps: WorkerDeps) {
  const channel = await openReplyChannel(await useRedis('subscriber'), newId('api'), silent);
  onTestFinished(() => channel.close());
  const { accountId } = await newAccount(db, { docs: 1 });
  const process = async (id: string): Promise<Reply> => {
    const replied = new Promise<Reply>((resolve) => channel.expect(id, resolve));
    await processPreview(deps, startRun(deps), { documentId: id, accountId, replyTo: channel.name, isPreview: true });
    return await replied;
  };
  return {
    accountId,
    process,
    /** Stores what the API stores for a file, and processes the job. */
    async run(file: Buffer): Promise<Reply> {
      const id = newId('prv');
      const task: PreviewTask = {
        template: { kind: 'file' },
        dataChecksum: hash('sha256', data, 'hex'),
        filename: 'a.pdf',
        pdfOptions: null,
        renderOptions: null,
        documentDate: '2026-03-31T12:00:00Z',
        excerpt: { format: 'pdf', pages: 5 },
        requestedAtMs: Date.now(),
      };
      await deps.transient.put('preview', id, Buffer.from(JSON.stringify(task)), 3_600);
      await deps.transient.put('data', id, data, 3_600);
      await deps.transient.put('upload', id, file, 3_600);
      return await process(id);
    },
  };
}

test('a crash of LibreOffice is counted for the account, and leaves neither rows nor files', async () => {
  const office = await crashingPool();
  const docx = newDocxPool();
  onTestFinished(() => docx.close());
  const deps: WorkerDeps = { ...(await newWorkerDeps(db, url)), docx, office: office.pool };
  const { run, accountId } = await newScene(deps);
  const body =
    contents('TOC \\o "1-2"', [{ label: 'Alpha', page: '9' }]) + styled('Heading1', 'Alpha') + paragraph('{name}');
  const file = buildDocx({ body, parts: { 'word/styles.xml': fieldStyles } });
  const reply = await run(file);
  expect(reply).toMatchObject({ ok: true });
  const value = previewReply.parse(reply.ok ? reply.value : undefined);
  expect(value.warningCodes).toContain('refresh_skipped');
  const key = previewLossesKey(deps.config.QUEUE_PREFIX, accountId);
  expect(await deps.redis.get(key)).toBe('1');
  expect(await deps.redis.ttl(key)).toBeGreaterThan(0);
  const { rows } = await pool.query(
    'select (select count(*) from conversion_failures)::int + (select count(*) from generations)::int as count',
  );
  expect(rows).toEqual([{ count: 0 }]);
});

test('a preview whose data have expired is skipped, and a caller that still waits gets an error', async () => {
  const deps = await newWorkerDeps(db, url);
  const scene = await newScene(deps);
  expect(await scene.process(newId('prv'))).toMatchObject({ ok: false, error: { code: 'unavailable' } });
});
