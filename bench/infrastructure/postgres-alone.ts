import { type DatabaseHandle, openDatabase } from '../../src/shared/db/client.ts';
import { acceptDocument } from '../../src/shared/domain/documents/accept-document.ts';
import { claimDocument } from '../../src/shared/domain/documents/claim-document.ts';
import { succeedDocument } from '../../src/shared/domain/documents/succeed-document.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { documentRequest, finishedDocument, newAccount, type TestAccount } from '../../test/support/domain/accounts.ts';
import { perDocument, readProcessorTime } from '../harness/processor-time.ts';
import { rounded } from '../harness/statistics.ts';
import type { Infrastructure } from './stack.ts';

export interface PostgresAlone {
  readonly accounts: number;
  readonly connections: number;
  readonly documents: number;
  readonly perSecond: number;
  /** The server's processor time per document, in milliseconds of one core. */
  readonly processorMs: number;
}

const poolSize = 32;

/** Accepts, claims and settles documents without any other process, for many accounts, four and one. */
export async function measurePostgresAlone(
  infrastructure: Infrastructure,
  seconds: number,
): Promise<readonly PostgresAlone[]> {
  const database = openDatabase(
    {
      url: infrastructure.services.postgres.databaseUrl,
      poolSize,
      timeoutMs: 30_000,
      applicationName: 'docmill-bench',
    },
    createLogger('silent', 'bench'),
  );
  try {
    const plan = { credits: [{ docs: 10_000_000 }] };
    const accounts: TestAccount[] = [];
    for (let index = 0; index < poolSize; index++) accounts.push(await newAccount(database.db, plan));
    const measured: PostgresAlone[] = [];
    for (const count of [poolSize, 4, 1])
      measured.push(await settleFor(infrastructure, database, accounts.slice(0, count), seconds));
    return measured;
  } finally {
    await database.close();
  }
}

async function settleFor(
  infrastructure: Infrastructure,
  { db }: DatabaseHandle,
  accounts: readonly TestAccount[],
  seconds: number,
): Promise<PostgresAlone> {
  let documents = 0;
  const produceOne = async ({ accountId, templateId }: TestAccount): Promise<void> => {
    const { id } = await acceptDocument(db, accountId, documentRequest(templateId));
    const claim = await claimDocument(db, id);
    if (claim === undefined) throw new Error('a new document could not be claimed');
    if (!(await succeedDocument(db, claim, finishedDocument(claim)))) throw new Error('an attempt was fenced');
    documents += 1;
  };
  const before = readProcessorTime(infrastructure.pids);
  const startedAt = performance.now();
  const elapsed = (): number => (performance.now() - startedAt) / 1_000;
  const produceRepeatedly = async (_: unknown, index: number): Promise<void> => {
    const account = accounts[index % accounts.length];
    while (account !== undefined && elapsed() < seconds) await produceOne(account);
  };
  await Promise.all(Array.from({ length: poolSize }, produceRepeatedly));
  const used = perDocument(before, readProcessorTime(infrastructure.pids), documents);
  return {
    accounts: accounts.length,
    connections: poolSize,
    documents,
    perSecond: rounded(documents / elapsed(), 0),
    processorMs: used.postgres ?? 0,
  };
}
