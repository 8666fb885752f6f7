/**
 * What one document costs each component, as recorded on idle machines: the only source of these figures for `capacity`,
 * for docs/operations/scaling.md (`npm run generate`) and for the comparison that `npm run bench -- infrastructure`
 * makes. Milliseconds of a core; ADR 89 says how to record them again.
 */
export interface DocumentCosts {
  readonly api: number;
  /** The worker's main thread without engines. */
  readonly queueWork: number;
  /** The worker's main thread with real engines: results come through pipes and are checked. */
  readonly worker: number;
  readonly render: number;
  /** LibreOffice with its agent; 0 for a .docx. */
  readonly office: number;
  readonly postgres: number;
  readonly redis: number;
}

interface RecordedBytes {
  readonly postgresLog: number;
  readonly postgresGrowth: number;
  readonly redisIn: number;
  readonly redisOut: number;
}

export type CostFormat = 'docx' | 'pdf';

interface RecordedRun {
  /** In bench/results. */
  readonly source: string;
  readonly costs: Readonly<Partial<Record<CostFormat, Partial<DocumentCosts>>>>;
}

/** `letter.docx` without engines, and an invoice of ten lines for the engines. */
export const infrastructureRun = {
  source: '2026-11-22-infrastructure-684274b.md',
  costs: {
    docx: { api: 1.21, queueWork: 0.99, render: 1.4, office: 0, postgres: 0.88, redis: 0.29 },
    pdf: { api: 2.03, queueWork: 1.75, worker: 4.7, render: 1.9, office: 61, postgres: 1.0, redis: 0.43 },
  },
} as const satisfies RecordedRun;

/** An invoice of ten lines, on slower cores. Its PDFs are left out: at 13 a second most components were idle. */
const sizingRun = {
  source: '2026-11-23-sizing.md',
  costs: { docx: { api: 1.82, worker: 1.69, render: 1.13, office: 0, postgres: 1.78, redis: 0.63 } },
} as const satisfies RecordedRun;

export const recordedRuns: readonly RecordedRun[] = [infrastructureRun, sizingRun];

export const recordedBytes: Readonly<Record<CostFormat, RecordedBytes>> = {
  docx: { postgresLog: 4_659, postgresGrowth: 2_464, redisIn: 37_000, redisOut: 35_000 },
  pdf: { postgresLog: 4_996, postgresGrowth: 2_464, redisIn: 63_000, redisOut: 61_000 },
};

/** The costs to plan with: the largest of all runs. A PDF costs no component less than a .docx, of which it is made. */
export function plannedCosts(format: CostFormat): DocumentCosts {
  const formats: readonly CostFormat[] = format === 'pdf' ? ['docx', 'pdf'] : ['docx'];
  const recorded = recordedRuns.flatMap(({ costs }) => formats.flatMap((one) => costs[one] ?? []));
  const most = (component: keyof DocumentCosts): number =>
    Math.max(...recorded.map((costs: Partial<DocumentCosts>) => costs[component] ?? 0));
  return {
    api: most('api'),
    queueWork: most('queueWork'),
    worker: most('worker'),
    render: most('render'),
    office: most('office'),
    postgres: most('postgres'),
    redis: most('redis'),
  };
}

/** The share of its capacity that each component uses in a plan. */
export const utilization = 0.6;
/** Allows one replica to fail. */
export const minReplicas = 2;

/** The cores, at `utilization`, that this many documents a second need of a component. */
export function coresFor(rate: number, milliseconds: number): number {
  return (rate * milliseconds) / 1_000 / utilization;
}
