import type { Harness } from '../../test/faults/harness/harness.ts';
import type { MemoryWatch } from './memory.ts';
import type { Order, Tally } from './orders.ts';

/** Over ten minutes and more; below that it is the caches that fill. */
const maxMegabytesPerHour = 120;

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

interface Findings {
  readonly answered: readonly Order[];
  readonly doubled: readonly Order[];
  readonly lost: readonly Order[];
  /** Made, and its client knows that it does not know: its connection broke, or its wait ended. */
  readonly brokenOff: readonly Order[];
  /** Made and charged, though its client was told something else. */
  readonly deceived: readonly Order[];
}

function compare(orders: readonly Order[], made: Counts['made']): Findings {
  const timesMade = (order: Order): number => made.get(order.name) ?? 0;
  const answered = orders.filter(({ statuses }) => statuses.includes(200));
  const isAnswered = new Set(answered);
  const silent = orders.filter((order) => !isAnswered.has(order) && timesMade(order) > 0);
  const isBroken = ({ statuses }: Order): boolean => statuses.includes(0) || statuses.includes(504);
  return {
    answered,
    doubled: orders.filter((order) => timesMade(order) > 1),
    lost: orders.filter((order) => (isAnswered.has(order) ? timesMade(order) === 0 : order.hasKey)),
    brokenOff: silent.filter(isBroken),
    deceived: silent.filter((order) => !isBroken(order)),
  };
}

/** Holds what clients saw against what the rows say. `violations` are those of the checks of the fault matrix. */
export async function judge(
  h: Harness,
  tally: Tally,
  memory: MemoryWatch,
  violations: readonly string[],
  isLong: boolean,
): Promise<Verdict> {
  const counts = await readCounts(h);
  const findings = compare(tally.orders, counts.made);
  const documents = [...counts.made.values()].reduce((sum, count) => sum + count, 0);
  const faults = [...violations, ...tally.surprises];
  for (const kind of ['doubled', 'lost', 'deceived'] as const) {
    const some = findings[kind].slice(0, 5).map(({ name, statuses }) => `${name} (${statuses.join(', ')})`);
    if (some.length > 0) faults.push(`${findings[kind].length} orders ${kind}: ${some.join('; ')}`);
  }
  if (counts.charges !== documents) faults.push(`${counts.charges} charges for ${documents} documents`);
  for (const { name, megabytesPerHour } of memory.slopes()) {
    if (isLong && megabytesPerHour > maxMegabytesPerHour)
      faults.push(`the memory of ${name} grows by ${megabytesPerHour.toFixed(0)} MB an hour`);
  }
  const lines = [...linesOf(tally, counts, findings, violations), ...memoryLines(memory)];
  return { lines: [...lines, ['other broken promises', faults.length]], faults };
}

function linesOf(
  tally: Tally,
  { made, charges, mails }: Counts,
  { answered, doubled, lost, brokenOff, deceived }: Findings,
  violations: readonly string[],
): [string, string | number][] {
  const tries = tally.orders.reduce((sum, { statuses }) => sum + statuses.length, 0);
  const mailedTwice = violations.filter((text) => /taken \d+ times/.test(text)).length;
  return [
    ['requests', tries + tally.uploads * 2 + tally.refusals],
    ['faults injected', [...tally.faults.values()].reduce((sum, count) => sum + count, 0)],
    ['orders of documents', tally.orders.length],
    ['orders answered with their document', answered.length],
    ['documents made', [...made.values()].reduce((sum, count) => sum + count, 0)],
    ['charges', charges],
    ['made for a client without a key whose connection broke', brokenOff.length],
    ['charged though the client was told otherwise', deceived.length],
    ['uploads', tally.uploads],
    ['bad input refused', tally.refusals],
    ['mails sent', mails],
    ['documents or mails twice', doubled.length + mailedTwice],
    ['documents or orders lost', lost.length],
    ['orphans and temporary files', violations.filter((violation) => violation.startsWith('V1')).length],
  ];
}

function memoryLines(memory: MemoryWatch): [string, string][] {
  return memory.slopes().map(({ name, megabytesPerHour, lastMegabytes }) => {
    const sign = megabytesPerHour >= 0 ? '+' : '';
    return [
      `memory of ${name}, which is spared`,
      `${lastMegabytes.toFixed(0)} MB, ${sign}${megabytesPerHour.toFixed(0)} MB/h`,
    ];
  });
}

export function tableOf({ lines }: Verdict): string {
  return ['| | |', '| --- | ---: |', ...lines.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}
