import type { Document } from '../harness/documents.ts';
import { atLeast, atMost, type Figure, figure } from '../harness/report.ts';
import { alternate, samplesOf } from '../harness/rounds.ts';
import type { ServiceStack } from '../harness/stack.ts';
import { byRound, median, quantile, rounded } from '../harness/statistics.ts';
import { type Format, type HttpPlan, turnOf } from './plan.ts';
import { openSides, otherSide, serviceName, serviceSide, type Turnout } from './sides.ts';

export interface Comparison {
  readonly figures: readonly Figure[];
  readonly raw: Readonly<Record<string, unknown>>;
}

const plainName = 'docxtemplater + pizzip, one thread';
const carboneName = 'carbone in process';
const carboneLoopName = 'carbone in process, one at a time';
const bareName = 'bare';

/** All sides take turns over one document in one format. */
export async function compare(
  stack: ServiceStack,
  tenant: { readonly apiKey: string; readonly templateId: string },
  document: Document,
  plan: HttpPlan,
  format: Format,
  options: { readonly factories: number; readonly folder: string },
): Promise<Comparison> {
  const open = await openSides(stack, tenant, document, format, options);
  // In process, carbone is fastest with a few documents at a time: its zip and file work goes to other threads.
  const carboneLanes = format === 'pdf' ? options.factories : 4;
  try {
    const sides = [
      ...plan.concurrency.map((lanes) => serviceSide(stack, open.service, turnOf(plan, lanes))),
      otherSide(carboneName, open.carbone, turnOf(plan, carboneLanes)),
      otherSide(bareName, open.bare, turnOf(plan, 1)),
      ...(format === 'docx'
        ? [otherSide(carboneLoopName, open.carbone, turnOf(plan, 1)), otherSide(plainName, open.plain, turnOf(plan, 1))]
        : []),
    ];
    const warmUp = { forMs: plan.warmUpMs / 3, atLeast: 2 };
    await open.service.run({ ...warmUp, forMs: plan.warmUpMs, lanes: Math.max(...plan.concurrency) });
    await open.carbone.run({ ...warmUp, lanes: carboneLanes });
    await open.bare.run({ ...warmUp, lanes: 1 });
    if (format === 'docx') await open.plain.run({ ...warmUp, lanes: 1 });
    const samples = await alternate(sides, plan.rounds);
    return { figures: figuresOf(samples, document, plan, format), raw: rawOf(samples) };
  } finally {
    await open.close();
  }
}

type Samples = ReadonlyMap<string, readonly Turnout[]>;

function figuresOf(samples: Samples, document: Document, plan: HttpPlan, format: Format): Figure[] {
  const what = `${format}, ${document.example} of ${document.rows} rows`;
  const isGoal = document.example === 'invoice' && document.rows === 10;
  const most = Math.max(...plan.concurrency);
  const times = (lanes: number, name: string): readonly number[] =>
    byRound(samplesOf(samples, serviceName(lanes)), samplesOf(samples, name), (a, b) => a.perSecond / b.perSecond);
  const goalAt = (lanes: number, value: number) => (isGoal && lanes === most ? atLeast(value) : undefined);
  const figures = plan.concurrency.flatMap((lanes) => {
    const of = (name: string): string => `${what}, ${lanes} at a time: throughput over HTTP / ${name}`;
    const against = (side: string, name: string, goal: number): Figure =>
      figure(of(name), 'times', times(lanes, side), goalAt(lanes, goal));
    if (format === 'pdf') return [against(carboneName, 'carbone', 1.2)];
    return [
      against(plainName, 'bare docxtemplater loop', 1.3),
      against(carboneName, 'carbone, 4 at a time', 4),
      against(carboneLoopName, 'carbone, one at a time', 4),
    ];
  });
  if (!plan.concurrency.includes(1)) return figures;
  const added = byRound(
    samplesOf(samples, serviceName(1)),
    samplesOf(samples, bareName),
    (ours, theirs) => median(ours.latenciesMs) - median(theirs.latenciesMs),
  );
  const [over, limit] = format === 'pdf' ? ['the bare warm conversion', 6] : ['the bare render', 3];
  const name = `${what}, 1 at a time: median latency over HTTP minus ${over}`;
  return [...figures, figure(name, 'ms', added, isGoal ? atMost(limit) : undefined)];
}

/** Latencies one by one only for one caller at a time; otherwise there are tens of thousands. */
function rawOf(samples: Samples): Record<string, unknown> {
  return Object.fromEntries(
    Array.from(samples, ([name, turns]) => [
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
