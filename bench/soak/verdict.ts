import type { Harness } from '../../test/faults/harness/harness.ts';
import type { MemoryWatch } from './memory.ts';
import type { Order, Tally } from './orders.ts';

export interface Verdict {
  readonly lines: readonly (readonly [string, string | number])[];
  /** What must not be; empty when the soak held. */
  readonly faults: readonly string[];
}

interface Counts {
  readonly made: ReadonlyMap<string, number>;
  readonly charges: number;
  readonly mails: number;
}

/** What the rows say about each order, by its file name. */
async function readCounts(h: Harness): Promise<Counts> {
  const ids = h.accounts.map(({ accountId }) => accountId);
  const rows = await h.query<{ name: string; made: number }>(
    `select regexp_replace(filename, '[.](docx|pdf)$', '') as name, count(*)::int as made from generations
      where account_id = any($1) and status = 'succeeded' and refunded_at is null group by 1`,
    [ids],
  );
  const [sums] = await h.query<{ charges: number; mails: number }>(
    `select (select coalesce(sum(case kind when 'settle' then 1 when 'refund' then -1 else 0 end), 0)::int from ledger
        where account_id = any($1)) as charges,
      (select count(*)::int from deliveries where account_id = any($1) and status = 'sent') as mails`,
    [ids],
  );
  return {
    made: new Map(rows.map(({ name, made }) => [name, made])),
    charges: sums?.charges ?? 0,
    mails: sums?.mails ?? 0,
  };
}

export async function judge(
  h: Harness,
  tally: Tally,
  memory: MemoryWatch,
  violations: readonly string[],
): Promise<Verdict> {
  const { made, charges, mails } = await readCounts(h);
  const timesMade = (order: Order): number => made.get(order.name) ?? 0;
  const isAnswered = (order: Order): boolean => order.statuses.includes(200);
  const names = (orders: readonly Order[]): string =>
    orders
      .slice(0, 5)
      .map(({ name }) => name)
      .join(', ');
  const doubled = tally.orders.filter((order) => timesMade(order) > 1);
  const lost = tally.orders.filter(
    (order) => (isAnswered(order) && timesMade(order) === 0) || (order.hasKey && !isAnswered(order)),
  );
  const unanswered = tally.orders.filter((order) => timesMade(order) === 1 && !isAnswered(order));
  const brokenOff = unanswered.filter(({ statuses }) => statuses.includes(0) || statuses.includes(504));
  const toldOtherwise = unanswered.filter((order) => !brokenOff.includes(order));
  const documents = [...made.values()].reduce((sum, count) => sum + count, 0);
  const orphans = violations.filter((violation) => violation.startsWith('V1'));
  const faults = [
    ...violations,
    ...tally.surprises,
    ...(doubled.length > 0 ? [`${doubled.length} orders were made twice: ${names(doubled)}`] : []),
    ...(lost.length > 0 ? [`${lost.length} orders were lost: ${names(lost)}`] : []),
    ...(toldOtherwise.length > 0
      ? [
          `${toldOtherwise.length} charged after a refusal: ${names(toldOtherwise)} (${toldOtherwise[0]?.statuses.join(', ')})`,
        ]
      : []),
    ...(charges === documents ? [] : [`${charges} charges for ${documents} documents`]),
  ];
  const tries = tally.orders.reduce((sum, { statuses }) => sum + statuses.length, 0);
  const lines: [string, string | number][] = [
    ['requests', tries + tally.uploads * 2 + tally.refusals],
    ['faults injected', [...tally.faults.values()].reduce((sum, count) => sum + count, 0)],
    ['orders of documents', tally.orders.length],
    ['answered with the document', tally.orders.filter(isAnswered).length],
    ['documents made', documents],
    ['charges', charges],
    ['made for a client whose connection broke', brokenOff.length],
    ['charged after a refusal', toldOtherwise.length],
    ['uploads', tally.uploads],
    ['bad input refused', tally.refusals],
    ['mails sent', mails],
    ['documents or mails twice', doubled.length + violations.filter((text) => /taken \d+ times/.test(text)).length],
    ['documents or orders lost', lost.length],
    ['orphans and temporary files', orphans.length],
    ...memory
      .slopes()
      .map(({ name, megabytesPerHour, lastMegabytes }): [string, string] => [
        `memory of ${name}, spared`,
        `${lastMegabytes.toFixed(0)} MB, ${megabytesPerHour >= 0 ? '+' : ''}${megabytesPerHour.toFixed(1)} MB/h`,
      ]),
  ];
  return { lines, faults };
}

export function tableOf({ lines }: Verdict): string {
  return ['| | |', '| --- | ---: |', ...lines.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}
