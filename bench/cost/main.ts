import { documentOf } from '../harness/documents.ts';
import { readOptions } from '../harness/options.ts';
import { closeFrame, openFrame, publish } from '../harness/report.ts';
import { withTemporaryFolder } from '../harness/temporary-folder.ts';
import { costFigures, linesOf, measureCost } from './measure-cost.ts';
import { isWithin, readRecord, tolerance, writeRecord } from './record.ts';

const options = readOptions({ rounds: 9, quickRounds: 5, flags: ['check', 'write'] });
const runMs = options.quick ? 800 : 1_500;
/** Other load can only add processor time, so that one measurement within the bound of several is proof. */
const mostMeasurements = options.flags.has('check') ? 3 : 1;

const frame = openFrame('cost', ['Redis'], ['docxtemplater', 'pizzip', 'bullmq', 'hono', 'pg']);
const record = options.flags.has('check') ? readRecord() : undefined;
for (let measurement = 1; ; measurement += 1) {
  const samples = await withTemporaryFolder((folder) =>
    measureCost(documentOf('invoice', 10), { rounds: options.rounds, runMs, folder }),
  );
  const figures = costFigures(samples);
  const [total] = figures;
  if (total === undefined) throw new Error('the bench has no figures');
  if (record !== undefined && !isWithin(total.median, record) && measurement < mostMeasurements) {
    process.stderr.write(`${total.median.toFixed(2)} times is beyond the bound; measuring again\n`);
    continue;
  }
  publish(closeFrame(frame, { rounds: options.rounds, runMs }, figures, samples), options, linesOf(samples));
  if (options.flags.has('write')) writeRecord(total, frame);
  if (record !== undefined && !isWithin(total.median, record)) {
    const { ratio, commit } = record;
    process.stderr.write(
      `A document costs ${total.median.toFixed(2)} times the bare loop's processor time; ${ratio.toFixed(2)} are ` +
        `recorded (commit ${commit}), and up to ${tolerance} times as many are allowed. Make it cheaper, or record ` +
        'the new ratio with `npm run bench -- cost --write` and give the reason in the commit.\n',
    );
    process.exitCode = 1;
  }
  break;
}
