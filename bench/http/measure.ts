import { type Document, documentOf } from '../harness/documents.ts';
import { atLeast, atMost, type Figure, figure } from '../harness/report.ts';
import { samplesOf } from '../harness/rounds.ts';
import { startServiceStack, uploadTemplate } from '../harness/stack.ts';
import { byRound, median } from '../harness/statistics.ts';
import {
  bareName,
  carboneLoopName,
  carboneName,
  compare,
  type HttpSamples,
  plainName,
  serviceName,
} from './compare.ts';
import type { Format, HttpPlan } from './plan.ts';

export interface HttpFindings {
  /** Samples by format and document. */
  readonly samples: ReadonlyMap<string, HttpSamples>;
  readonly figures: readonly Figure[];
}

/** Measures every document in every format of the plan against one stack. */
export async function measureHttp(
  plan: HttpPlan,
  options: { readonly factories: number; readonly folder: string },
): Promise<HttpFindings> {
  const samples = new Map<string, HttpSamples>();
  const figures: Figure[] = [];
  const stack = await startServiceStack({ OFFICE_SLOTS: String(options.factories) });
  try {
    const [apiKey = ''] = await stack.openAccounts(1);
    for (const format of plan.formats) {
      for (const rows of plan.rows) {
        const document = documentOf(plan.example, rows);
        const templateId = await uploadTemplate(stack.url, apiKey, `${plan.example}-${rows}.docx`, document.template);
        const name = `${format}, ${plan.example} of ${rows} rows`;
        process.stderr.write(`${name}\n`);
        const found = await compare(stack, { apiKey, templateId }, document, plan, format, options);
        samples.set(name, found);
        figures.push(...figuresOf(found, document, plan, format));
      }
    }
    return { samples, figures };
  } finally {
    await stack.close();
  }
}

/** Compares the service with the other contenders. The goals apply to the invoice with ten rows under full load. */
function figuresOf(
  samples: HttpSamples,
  document: Pick<Document, 'example' | 'rows'>,
  plan: HttpPlan,
  format: Format,
): Figure[] {
  const what = `${format}, ${document.example} of ${document.rows} rows`;
  const hasGoal = document.example === 'invoice' && document.rows === 10;
  const most = Math.max(...plan.concurrency);
  const throughput = plan.concurrency.flatMap((concurrency) => {
    const against = (contender: string, name: string, goal: number): Figure => {
      const ours = samplesOf(samples, serviceName(concurrency));
      const times = byRound(ours, samplesOf(samples, contender), (a, b) => a.perSecond / b.perSecond);
      const full = `${what}, ${concurrency} at a time: throughput over HTTP / ${name}`;
      return figure(full, 'times', times, hasGoal && concurrency === most ? atLeast(goal) : undefined);
    };
    if (format === 'pdf') return [against(carboneName, 'carbone', 1.2)];
    return [
      against(plainName, 'bare docxtemplater loop', 1.3),
      against(carboneName, 'carbone, 4 at a time', 4),
      against(carboneLoopName, 'carbone, one at a time', 4),
    ];
  });
  return plan.concurrency.includes(1) ? [...throughput, addedLatency(samples, what, format, hasGoal)] : throughput;
}

function addedLatency(samples: HttpSamples, what: string, format: Format, hasGoal: boolean): Figure {
  const added = byRound(
    samplesOf(samples, serviceName(1)),
    samplesOf(samples, bareName),
    (ours, theirs) => median(ours.latenciesMs) - median(theirs.latenciesMs),
  );
  const [floor, limit] = format === 'pdf' ? ['the bare warm conversion', 6] : ['the bare render', 3];
  const name = `${what}, 1 at a time: median latency over HTTP minus ${floor}`;
  return figure(name, 'ms', added, hasGoal ? atMost(limit) : undefined);
}
