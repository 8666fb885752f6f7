import type { Document } from '../harness/documents.ts';
import { atLeast, atMost, type Figure, figure } from '../harness/report.ts';
import { samplesOf } from '../harness/rounds.ts';
import { byRound, median } from '../harness/statistics.ts';
import { bareName, carboneLoopName, carboneName, plainName, serviceName, type Turnouts } from './compare.ts';
import type { Format, HttpPlan } from './plan.ts';

type What = Pick<Document, 'example' | 'rows'>;

/** What the service came to against the others, with the goals of the invoice of ten rows under full load. */
export function figuresOf(turnouts: Turnouts, document: What, plan: HttpPlan, format: Format): Figure[] {
  const what = `${format}, ${document.example} of ${document.rows} rows`;
  const isGoal = document.example === 'invoice' && document.rows === 10;
  const most = Math.max(...plan.concurrency);
  const throughput = plan.concurrency.flatMap((lanes) => {
    const against = (side: string, name: string, goal: number): Figure => {
      const ours = samplesOf(turnouts, serviceName(lanes));
      const times = byRound(ours, samplesOf(turnouts, side), (a, b) => a.perSecond / b.perSecond);
      const full = `${what}, ${lanes} at a time: throughput over HTTP / ${name}`;
      return figure(full, 'times', times, isGoal && lanes === most ? atLeast(goal) : undefined);
    };
    if (format === 'pdf') return [against(carboneName, 'carbone', 1.2)];
    return [
      against(plainName, 'bare docxtemplater loop', 1.3),
      against(carboneName, 'carbone, 4 at a time', 4),
      against(carboneLoopName, 'carbone, one at a time', 4),
    ];
  });
  return plan.concurrency.includes(1) ? [...throughput, addedLatency(turnouts, what, format, isGoal)] : throughput;
}

function addedLatency(turnouts: Turnouts, what: string, format: Format, isGoal: boolean): Figure {
  const added = byRound(
    samplesOf(turnouts, serviceName(1)),
    samplesOf(turnouts, bareName),
    (ours, theirs) => median(ours.latenciesMs) - median(theirs.latenciesMs),
  );
  const [over, limit] = format === 'pdf' ? ['the bare warm conversion', 6] : ['the bare render', 3];
  const name = `${what}, 1 at a time: median latency over HTTP minus ${over}`;
  return figure(name, 'ms', added, isGoal ? atMost(limit) : undefined);
}
