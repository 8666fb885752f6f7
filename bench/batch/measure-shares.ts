import { setBatchWeight } from '../../src/shared/domain/batches/dispatch/set-weight.ts';
import { atLeast, figure } from '../harness/report.ts';
import { countFinishedBy, type Format, startedAt, submitTogether, untilFinished } from './requests.ts';
import type { BatchStack } from './stack.ts';

const accounts = 3;

/** Measures how far apart equal batches of three accounts finish when they wait at the same time. */
export async function measureAccounts(stack: BatchStack, format: Format, rows: number) {
  const tenants = await Promise.all(Array.from({ length: accounts }, () => stack.tenant('letter')));
  const requests = tenants.map((tenant) => ({ tenant, rows }));
  const batches = await submitTogether(stack, requests, format);
  const spans = await Promise.all(batches.map((batch) => untilFinished(stack, batch)));
  const start = await startedAt(stack, batches);
  const seconds = spans.map(({ finishedAt }) => finishedAt - start);
  const ratio = Math.min(...seconds) / Math.max(...seconds);
  return {
    figures: [figure('three accounts: first to finish / last', 'times', [ratio], atLeast(0.9))],
    raw: { seconds, spans },
  };
}

/**
 * Measures equal batches of two accounts, one of which has weight 2: how many rows of each are done when the heavier
 * account's batch is complete.
 */
export async function measureWeights(stack: BatchStack, format: Format, rows: number) {
  const tenants = await Promise.all([stack.tenant('letter'), stack.tenant('letter')]);
  const [heavy] = tenants;
  await setBatchWeight(stack.connections.database.db, { accountId: heavy.accountId, weight: 2 });
  const requests = tenants.map((tenant) => ({ tenant, rows }));
  const batches = await submitTogether(stack, requests, format);
  const [first, second] = await Promise.all(batches.map((batch) => untilFinished(stack, batch)));
  const light = batches[1];
  if (first === undefined || second === undefined || light === undefined) throw new Error('two batches were submitted');
  const meanwhile = await countFinishedBy(stack, light, first.finishedAt);
  return {
    figures: [figure('rows of an account of weight 2 / rows of one of weight 1', 'times', [rows / meanwhile])],
    raw: { heavy: first, light: second, meanwhile },
  };
}
