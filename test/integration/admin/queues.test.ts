import { expect, inject, it } from 'vitest';
import { commands } from '../../../src/admin/commands.ts';
import { parseCommand } from '../../../src/admin/parse-command.ts';
import { runCommand } from '../../../src/admin/run-command.ts';
import { acceptGeneration } from '../../../src/shared/domain/generations/accept-generation.ts';
import { createQueues } from '../../../src/shared/queue/queues.ts';
import { documentRequest, newAccount } from '../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { newPrefix, silent, useRedis } from '../../support/services/redis.ts';
import { runAdmin } from './run-program.ts';

interface Queue {
  readonly queue: string;
  readonly waiting: number;
  readonly inProgress: number;
}

interface Answer {
  readonly queues: readonly Queue[];
  readonly accounts: readonly { readonly accountId: string; readonly waiting: number }[];
}

const { db, url } = await useOwnDatabase();
const admin = async (...line: string[]): Promise<Answer> =>
  (await runCommand({ db, databaseUrl: url }, parseCommand(commands, ['queues', ...line]))) as Answer;
const queueOf = (answer: Answer, name: string): Queue | undefined => answer.queues.find(({ queue }) => queue === name);

it('shows the jobs in Redis, and how many documents have none', async () => {
  const account = await newAccount(db, { docs: 10 });
  const { waiting: before = 0, inProgress = 0 } = queueOf(await admin(), 'docx') ?? {};
  const requests = [documentRequest(account.templateId), documentRequest(account.templateId)];
  for (const request of requests) await acceptGeneration(db, account.accountId, request);
  const [redis, prefix] = [await useRedis(), newPrefix()];
  const queues = createQueues(redis, prefix, silent);
  const generationId = requests[0]?.id ?? '';
  await queues.add('docx', generationId, { generationId, accountId: account.accountId, replyTo: null });
  await queues.close();
  const env = { DATABASE_URL: url, REDIS_URL: inject('redisUrl'), QUEUE_PREFIX: prefix };
  const { code, out, problem } = await runAdmin(['queues', '--account', account.accountId], env);
  expect({ code, problem }).toEqual({ code: 0, problem: '' });
  expect(out).toMatchObject({ redis: 'read' });
  const docx = queueOf(out as unknown as Answer, 'docx');
  expect(docx).toMatchObject({
    waiting: before + 2,
    jobs: { waiting: 1, active: 0, delayed: 0 },
    missingJobs: before + inProgress + 1,
  });
  const down = await runAdmin(['queues'], { ...env, REDIS_URL: 'redis://127.0.0.1:1' });
  expect(down).toMatchObject({ code: 0, out: { redis: expect.stringContaining('not read: ') } });
  expect(queueOf(down.out as unknown as Answer, 'docx')).toMatchObject({ waiting: before + 2, jobs: null });
});
