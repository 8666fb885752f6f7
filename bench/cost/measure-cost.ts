import { stageNames } from '../../src/shared/stages.ts';
import { renderPlain } from '../contenders/docxtemplater.ts';
import { type RunPlan, type Sample, startContender } from '../harness/contender-process.ts';
import { type Document, wordsOf } from '../harness/documents.ts';
import { withOtherLoad } from '../harness/other-load.ts';
import { type ProcessorTime, perDocument, readProcessorTime } from '../harness/processor-time.ts';
import { type Figure, figure } from '../harness/report.ts';
import { alternate, type Contender, samplesOf } from '../harness/rounds.ts';
import { startServiceStack, uploadTemplate } from '../harness/stack.ts';
import { byRound, median } from '../harness/statistics.ts';
import { openService } from '../http/contenders.ts';
import { meanStages, readStages } from '../http/stage-times.ts';

/** A run of the service or of the loop. Milliseconds are of one core, and per document. */
export interface CostSample extends Sample {
  readonly processorMs: ProcessorTime;
  readonly stageMs: Readonly<Record<string, number>>;
  readonly foreignShare: number;
}

export type CostSamples = ReadonlyMap<string, readonly CostSample[]>;

const loopName = 'docxtemplater + pizzip, one thread';
const callers = [32, 1] as const;
const serviceName = (count: number): string => `service, ${count} ${count === 1 ? 'caller' : 'callers'}`;

/** Measures the service and the bare loop alternately on one .docx, each in its own processes. */
export async function measureCost(
  document: Document,
  { rounds, runMs, folder }: { readonly rounds: number; readonly runMs: number; readonly folder: string },
): Promise<CostSamples> {
  const stack = await startServiceStack();
  try {
    const [apiKey = ''] = await stack.openAccounts(1);
    const templateId = await uploadTemplate(stack.url, apiKey, 'invoice.docx', document.template);
    const service = await openService(stack, { apiKey, templateId }, document, 'docx');
    const loop = await startContender(new URL('../contenders/engine-process.ts', import.meta.url), {
      engine: 'docxtemplater + pizzip',
      example: document.example,
      rows: document.rows,
      folder,
      words: wordsOf(renderPlain(document.template, document.data)),
    });
    const run = (concurrency: number, forMs = runMs): RunPlan => ({ forMs, minDocuments: concurrency, concurrency });
    const runService = async (plan: RunPlan) => {
      const stages = await readStages(stack.operationsUrls);
      const before = readProcessorTime(stack.pids);
      const sample = await service.run(plan);
      const processorMs = perDocument(before, readProcessorTime(stack.pids), sample.documents);
      return { ...sample, processorMs, stageMs: meanStages(stages, await readStages(stack.operationsUrls)) };
    };
    const runLoop = async () => {
      const sample = await loop.run(run(1));
      const processorMs = { loop: (sample.ownProcessorSeconds * 1_000) / sample.documents };
      return { ...sample, processorMs, stageMs: {} };
    };
    const contenders: Contender<CostSample>[] = [
      ...callers.map((count) => ({
        name: serviceName(count),
        run: () => withOtherLoad(() => runService(run(count))),
      })),
      { name: loopName, run: () => withOtherLoad(runLoop) },
    ];
    try {
      await service.run(run(32, 4_000));
      await loop.run(run(1));
      return await alternate(contenders, rounds);
    } finally {
      await service.close();
      await loop.close();
    }
  } finally {
    await stack.close();
  }
}

/** Ratios to the bare loop of the same round; the first is the one that is recorded: the whole service, 32 callers. */
export function costFigures(samples: CostSamples): readonly Figure[] {
  const loop = samplesOf(samples, loopName);
  return callers.flatMap((count) => {
    const ours = samplesOf(samples, serviceName(count));
    const against = (name: string, read: (sample: CostSample) => number): Figure =>
      figure(
        `${serviceName(count)}: ${name}`,
        'times',
        byRound(ours, loop, (a, b) => read(a) / totalMs(b)),
      );
    const parts = [...new Set(ours.flatMap(({ processorMs }) => Object.keys(processorMs)))];
    return [
      against('processor time of a .docx / bare docxtemplater loop', totalMs),
      ...parts.map((part) => against(`${part} / bare docxtemplater loop`, ({ processorMs }) => processorMs[part] ?? 0)),
    ];
  });
}

/** Milliseconds by process and by stage, as medians over the rounds. */
export function linesOf(samples: CostSamples): string[] {
  return Array.from(samples, ([name, runs]) => {
    const medians = (read: (run: CostSample) => Readonly<Record<string, number>>, names: readonly string[]): string =>
      names
        .filter((each) => runs.some((run) => each in read(run)))
        .map((each) => `${each} ${median(runs.map((run) => read(run)[each] ?? 0)).toFixed(2)}`)
        .join(', ');
    const parts = [...new Set(runs.flatMap(({ processorMs }) => Object.keys(processorMs)))];
    const stages = medians(({ stageMs }) => stageMs, stageNames);
    const foreign = Math.max(...runs.map(({ foreignShare }) => foreignShare));
    return [
      `${name}: ${median(runs.map(totalMs)).toFixed(2)} ms of processor time, ${median(runs.map(({ perSecond }) => perSecond)).toFixed(0)}/s`,
      `  by process: ${medians(({ processorMs }) => processorMs, parts)}`,
      ...(stages === '' ? [] : [`  by stage (elapsed): ${stages}`]),
      `  other programs used at most ${(foreign * 100).toFixed(0)} % of the machine`,
    ].join('\n');
  });
}

function totalMs({ processorMs }: CostSample): number {
  return Object.values(processorMs).reduce((sum, each) => sum + each, 0);
}
