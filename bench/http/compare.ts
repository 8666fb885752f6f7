import type { Document } from '../harness/documents.ts';
import { withForeignTime } from '../harness/foreign-time.ts';
import { type ProcessorTime, perDocument, readProcessorTime } from '../harness/processor-time.ts';
import { alternate, type Side } from '../harness/rounds.ts';
import type { Sample, SideProcess, Turn } from '../harness/side-process.ts';
import type { ServiceStack } from '../harness/stack.ts';
import { meanStages, readStages } from '../harness/stage-times.ts';
import { median, quantile, rounded } from '../harness/statistics.ts';
import { type Format, type HttpPlan, turnOf } from './plan.ts';
import { openSides, type Tenant } from './sides.ts';

/** One turn, with the processor time of the service's parts when it is the service's. */
export interface Turnout extends Sample {
  readonly processorMsPerDocument: ProcessorTime;
  /** Mean milliseconds of each stage. */
  readonly stageMs: Readonly<Record<string, number>>;
  readonly foreignShare: number;
}

/** The turns of each side, by its name. */
export type Turnouts = ReadonlyMap<string, readonly Turnout[]>;

export const plainName = 'docxtemplater + pizzip, one thread';
export const carboneName = 'carbone in process';
export const carboneLoopName = 'carbone in process, one at a time';
export const bareName = 'bare';

export function serviceName(lanes: number): string {
  return `service, ${lanes} at a time`;
}

/** All sides take turns over one document in one format, after they were warmed up. */
export async function compare(
  stack: ServiceStack,
  tenant: Tenant,
  document: Document,
  plan: HttpPlan,
  format: Format,
  options: { readonly factories: number; readonly folder: string },
): Promise<Turnouts> {
  const open = await openSides(stack, tenant, document, format, options);
  // In process, carbone is fastest with a few documents at a time: its zip and file work goes to other threads.
  const carboneTurn = turnOf(plan, format === 'pdf' ? options.factories : 4);
  try {
    const others = [
      otherSide(carboneName, open.carbone, carboneTurn),
      otherSide(bareName, open.bare, turnOf(plan, 1)),
      ...(open.plain === undefined
        ? []
        : [
            otherSide(carboneLoopName, open.carbone, turnOf(plan, 1)),
            otherSide(plainName, open.plain, turnOf(plan, 1)),
          ]),
    ];
    const most = Math.max(...plan.concurrency);
    await open.service.run({ ...turnOf(plan, most), forMs: plan.warmUpMs });
    for (const side of others) await side.run();
    return await alternate(
      [...plan.concurrency.map((lanes) => serviceSide(stack, open.service, turnOf(plan, lanes))), ...others],
      plan.rounds,
    );
  } finally {
    await open.close();
  }
}

function serviceSide(stack: ServiceStack, service: SideProcess, turn: Turn): Side<Turnout> {
  const run = async () => {
    const stagesBefore = await readStages(stack.operationsUrls);
    const before = readProcessorTime(stack.pids);
    const sample = await service.run(turn);
    const used = perDocument(before, readProcessorTime(stack.pids), sample.documents);
    const load = rounded((sample.ownProcessorSeconds * 1_000) / sample.documents, 2);
    const stageMs = meanStages(stagesBefore, await readStages(stack.operationsUrls));
    return { ...sample, processorMsPerDocument: { ...used, load }, stageMs };
  };
  return { name: serviceName(turn.lanes), run: () => withForeignTime(run) };
}

function otherSide(name: string, side: SideProcess, turn: Turn): Side<Turnout> {
  return {
    name,
    run: () => withForeignTime(async () => ({ ...(await side.run(turn)), processorMsPerDocument: {}, stageMs: {} })),
  };
}

/** Latencies one by one only for one caller at a time; otherwise there are tens of thousands. */
export function rawOf(turnouts: Turnouts): Record<string, unknown> {
  return Object.fromEntries(
    Array.from(turnouts, ([name, turns]) => [
      name,
      turns.map(({ latenciesMs, ...turn }) => ({
        ...turn,
        medianMs: rounded(median(latenciesMs)),
        p95Ms: rounded(quantile(latenciesMs, 0.95)),
        p99Ms: rounded(quantile(latenciesMs, 0.99)),
        ...(name === serviceName(1) || name === bareName ? { latenciesMs } : {}),
      })),
    ]),
  );
}
