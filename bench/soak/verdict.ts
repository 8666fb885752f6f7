import type { Harness } from '../../test/faults/harness/harness.ts';
import type { DocumentRequest, Tally } from './load.ts';
import type { MemorySampler } from './memory.ts';

/** Only for soaks of at least twenty minutes; in shorter ones, caches are still filling. */
const maxMegabytesPerHour = 120;

export interface Verdict {
  readonly lines: readonly (readonly [string, string | number])[];
  /** Violations; empty if the soak passed. */
  readonly faults: readonly string[];
}

interface Counts {
  readonly produced: ReadonlyMap<string, number>;
  readonly charges: number;
  readonly mails: number;
}

/** The rows of each request in the database, by file name. */
async function readCounts(h: Harness): Promise<Counts> {
  const ids = h.accounts.map(({ accountId }) => accountId);
  const rows = await h.query<{ name: string; produced: number }>(
    `select regexp_replace(filename, '[.](docx|pdf)$', '') as name, count(*)::int as produced from generations
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
    produced: new Map(rows.map(({ name, produced }) => [name, produced])),
    charges: sums?.charges ?? 0,
    mails: sums?.mails ?? 0,
  };
}

interface Findings {
  readonly answered: readonly DocumentRequest[];
  readonly doubled: readonly DocumentRequest[];
  readonly lost: readonly DocumentRequest[];
  /** Documents whose clients know that they missed the response, because the connection broke or the wait ended. */
  readonly brokenOff: readonly DocumentRequest[];
  /** Documents that were produced and charged although the client got another response. */
  readonly contradicted: readonly DocumentRequest[];
}

function compare(requests: readonly DocumentRequest[], produced: Counts['produced']): Findings {
  const timesProduced = (request: DocumentRequest): number => produced.get(request.name) ?? 0;
  const answered = requests.filter(({ statuses }) => statuses.includes(200));
  const isAnswered = new Set(answered);
  const silent = requests.filter((request) => !isAnswered.has(request) && timesProduced(request) > 0);
  const isBroken = ({ statuses }: DocumentRequest): boolean => statuses.includes(0) || statuses.includes(504);
  return {
    answered,
    doubled: requests.filter((request) => timesProduced(request) > 1),
    lost: requests.filter((request) => (isAnswered.has(request) ? timesProduced(request) === 0 : request.hasKey)),
    brokenOff: silent.filter(isBroken),
    contradicted: silent.filter((request) => !isBroken(request)),
  };
}

/** Compares the clients' view with the database. `violations` come from the checks of the fault matrix. */
export async function decideVerdict(
  h: Harness,
  tally: Tally,
  memory: MemorySampler,
  violations: readonly string[],
  isLong: boolean,
): Promise<Verdict> {
  const counts = await readCounts(h);
  const findings = compare(tally.requests, counts.produced);
  const documents = [...counts.produced.values()].reduce((sum, count) => sum + count, 0);
  const faults = [...violations, ...tally.surprises];
  for (const kind of ['doubled', 'lost', 'contradicted'] as const) {
    const some = findings[kind].slice(0, 5).map(({ name, statuses }) => `${name} (${statuses.join(', ')})`);
    if (some.length > 0) faults.push(`${findings[kind].length} requests ${kind}: ${some.join('; ')}`);
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
  { produced, charges, mails }: Counts,
  { answered, doubled, lost, brokenOff, contradicted }: Findings,
  violations: readonly string[],
): [string, string | number][] {
  const tries = tally.requests.reduce((sum, { statuses }) => sum + statuses.length, 0);
  const mailedTwice = violations.filter((text) => /accepted \d+ times/.test(text)).length;
  return [
    ['requests', tries + tally.uploads * 2 + tally.refusals],
    ['faults injected', [...tally.faults.values()].reduce((sum, count) => sum + count, 0)],
    ['documents requested', tally.requests.length],
    ['requests answered with their document', answered.length],
    ['documents produced', [...produced.values()].reduce((sum, count) => sum + count, 0)],
    ['charges', charges],
    ['produced for a client without a key whose connection broke', brokenOff.length],
    ['charged although the client got another response', contradicted.length],
    ['uploads', tally.uploads],
    ['bad input refused', tally.refusals],
    ['mails sent', mails],
    ['documents or mails produced twice', doubled.length + mailedTwice],
    ['documents or requests lost', lost.length],
    ['orphans and temporary files', violations.filter((violation) => violation.startsWith('V1')).length],
  ];
}

function memoryLines(memory: MemorySampler): [string, string][] {
  return memory.slopes().map(({ name, megabytesPerHour, lastMegabytes }) => {
    const sign = megabytesPerHour >= 0 ? '+' : '';
    return [
      `memory of ${name}, which no fault hits`,
      `${lastMegabytes.toFixed(0)} MB, ${sign}${megabytesPerHour.toFixed(0)} MB/h`,
    ];
  });
}

export function tableOf({ lines }: Verdict): string {
  return ['| | |', '| --- | ---: |', ...lines.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}
