import type { ContenderProcess, RunPlan, Sample } from '../harness/contender-process.ts';
import type { Document } from '../harness/documents.ts';
import { withOtherLoad } from '../harness/other-load.ts';
import { type ProcessorTime, perDocument, readProcessorTime } from '../harness/processor-time.ts';
import { alternate, type Contender } from '../harness/rounds.ts';
import type { ServiceStack } from '../harness/stack.ts';
import { median, quantile, rounded } from '../harness/statistics.ts';
import { openContenders, type Tenant } from './contenders.ts';
import { type Format, type HttpPlan, runOf } from './plan.ts';
import { meanStages, readStages } from './stage-times.ts';

/** One run. Processor time by process and stage times are reported for the service only. */
export interface HttpSample extends Sample {
  readonly processorMsPerDocument: ProcessorTime;
  /** Mean milliseconds of each stage. */
  readonly stageMs: Readonly<Record<string, number>>;
  readonly foreignShare: number;
}

/** The runs of each contender by name. */
export type HttpSamples = ReadonlyMap<string, readonly HttpSample[]>;

export const plainName = 'docxtemplater + pizzip, one thread';
export const carboneName = 'carbone in process';
export const carboneLoopName = 'carbone in process, one at a time';
export const bareName = 'bare';

export function serviceName(concurrency: number): string {
  return `service, ${concurrency} at a time`;
}

/** Measures all contenders alternately on one document in one format, after a warm-up of each. */
export async function compare(
  stack: ServiceStack,
  tenant: Tenant,
  document: Document,
  plan: HttpPlan,
  format: Format,
  options: { readonly factories: number; readonly folder: string },
): Promise<HttpSamples> {
  const open = await openContenders(stack, tenant, document, format, options);
  // In process, carbone is fastest with a few concurrent documents, because its zip and file work runs on other
  // threads.
  const carboneRun = runOf(plan, format === 'pdf' ? options.factories : 4);
  try {
    const others = [
      otherContender(carboneName, open.carbone, carboneRun),
      otherContender(bareName, open.bare, runOf(plan, 1)),
      ...(open.plain === undefined
        ? []
        : [
            otherContender(carboneLoopName, open.carbone, runOf(plan, 1)),
            otherContender(plainName, open.plain, runOf(plan, 1)),
          ]),
    ];
    const most = Math.max(...plan.concurrency);
    await open.service.run({ ...runOf(plan, most), forMs: plan.warmUpMs });
    for (const contender of others) await contender.run();
    const service = plan.concurrency.map((count) => serviceContender(stack, open.service, runOf(plan, count)));
    return await alternate([...service, ...others], plan.rounds);
  } finally {
    await open.close();
  }
}

function serviceContender(stack: ServiceStack, service: ContenderProcess, plan: RunPlan): Contender<HttpSample> {
  const run = async () => {
    const stagesBefore = await readStages(stack.operationsUrls);
    const before = readProcessorTime(stack.pids);
    const sample = await service.run(plan);
    const used = perDocument(before, readProcessorTime(stack.pids), sample.documents);
    const load = rounded((sample.ownProcessorSeconds * 1_000) / sample.documents, 2);
    const stageMs = meanStages(stagesBefore, await readStages(stack.operationsUrls));
    return { ...sample, processorMsPerDocument: { ...used, load }, stageMs };
  };
  return { name: serviceName(plan.concurrency), run: () => withOtherLoad(run) };
}

function otherContender(name: string, contender: ContenderProcess, plan: RunPlan): Contender<HttpSample> {
  const run = async () => ({ ...(await contender.run(plan)), processorMsPerDocument: {}, stageMs: {} });
  return { name, run: () => withOtherLoad(run) };
}

/**
 * The samples for the report. Individual latencies are kept only for one caller; with more, there are tens of
 * thousands.
 */
export function rawOf(samples: HttpSamples): Record<string, unknown> {
  return Object.fromEntries(
    Array.from(samples, ([name, runs]) => [
      name,
      runs.map(({ latenciesMs, ...run }) => ({
        ...run,
        medianMs: rounded(median(latenciesMs)),
        p95Ms: rounded(quantile(latenciesMs, 0.95)),
        p99Ms: rounded(quantile(latenciesMs, 0.99)),
        ...(name === serviceName(1) || name === bareName ? { latenciesMs } : {}),
      })),
    ]),
  );
}
