import { setBatchWeight } from '../../src/shared/domain/batches/dispatch/set-weight.ts';
import { atLeast, figure } from '../harness/report.ts';
import { begunAt, endedBy, type Format, orderTogether, untilEnded } from './orders.ts';
import type { Stack } from './stack.ts';

const accounts = 3;

/** Batches of three accounts that are there at once, of so many rows each: how far apart they end. */
export async function measureAccounts(stack: Stack, format: Format, rows: number) {
  const tenants = await Promise.all(Array.from({ length: accounts }, () => stack.tenant('letter')));
  const batches = await orderTogether(
    stack,
    tenants.map((tenant) => ({ tenant, rows })),
    format,
  );
  const spans = await Promise.all(batches.map((batch) => untilEnded(stack, batch)));
  const start = await begunAt(stack, batches);
  const seconds = spans.map(({ endedAt }) => endedAt - start);
  return {
    figures: [
      figure(
        'three accounts: first end / last end',
        'times',
        [Math.min(...seconds) / Math.max(...seconds)],
        atLeast(0.9),
      ),
    ],
    raw: { seconds, spans },
  };
}

/** Batches of two accounts, one of them of weight 2: how much more of the lane that one had until it was through. */
export async function measureWeights(stack: Stack, format: Format, rows: number) {
  const tenants = await Promise.all([stack.tenant('letter'), stack.tenant('letter')]);
  const [heavy] = tenants;
  await setBatchWeight(stack.connections.database.db, { accountId: heavy.accountId, weight: 2 });
  const batches = await orderTogether(
    stack,
    tenants.map((tenant) => ({ tenant, rows })),
    format,
  );
  const [first, second] = await Promise.all(batches.map((batch) => untilEnded(stack, batch)));
  const other = batches[1];
  if (first === undefined || second === undefined || other === undefined) throw new Error('two batches were ordered');
  const meanwhile = await endedBy(stack, other, first.endedAt);
  return {
    figures: [figure('rows of an account of weight 2 / rows of one of weight 1', 'times', [rows / meanwhile])],
    raw: { heavy: first, light: second, meanwhile },
  };
}
