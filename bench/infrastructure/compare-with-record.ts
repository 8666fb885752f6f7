import { infrastructureRun } from '../../src/admin/capacity/recorded-costs.ts';
import { rounded } from '../harness/statistics.ts';

/** The recorded component for each kind of process of this bench. Its workers have no engines. */
const components = { api: 'api', worker: 'queueWork', postgres: 'postgres', redis: 'redis' } as const;

interface BusyPoint {
  readonly format: 'docx' | 'pdf';
  readonly apis: number;
  readonly slots: number;
  readonly accounts: number;
  /** Milliseconds of one core per document, by kind of process. */
  readonly processorMs: Readonly<Record<string, number>>;
}

export interface Comparison {
  readonly format: 'docx' | 'pdf';
  readonly component: string;
  /** How many times the larger of both shares is the smaller one: at least 1. */
  readonly factor: number;
}

/**
 * Compares the busiest point of each format with the recorded run: two API processes, several accounts, the most slots.
 * Each component's share of the whole is compared, because cores differ.
 */
export function compareWithRecord(measured: readonly BusyPoint[]): readonly Comparison[] {
  return (['docx', 'pdf'] as const).flatMap((format) => {
    const points = measured.filter((point) => point.format === format && point.accounts > 1 && point.apis <= 2);
    const busiest = points.toSorted((a, b) => b.slots - a.slots || b.apis - a.apis)[0];
    if (busiest === undefined) return [];
    const names = Object.keys(components) as (keyof typeof components)[];
    const recordedOf = (name: keyof typeof components): number => infrastructureRun.costs[format][components[name]];
    const measuredOf = (name: keyof typeof components): number => busiest.processorMs[name] ?? 0;
    const sumOf = (read: typeof recordedOf): number => names.reduce((sum, name) => sum + read(name), 0);
    const [recordedSum, measuredSum] = [sumOf(recordedOf), sumOf(measuredOf)];
    return names.map((name) => {
      const ratio = measuredOf(name) / measuredSum / (recordedOf(name) / recordedSum);
      return { format, component: name, factor: rounded(Math.max(ratio, 1 / ratio), 2) };
    });
  });
}
