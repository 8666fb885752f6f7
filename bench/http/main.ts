import { availableParallelism } from 'node:os';
import { inFolder } from '../harness/folder.ts';
import { readOptions } from '../harness/options.ts';
import { closeFrame, openFrame, print } from '../harness/report.ts';
import { rawOf } from './compare.ts';
import { measureHttp } from './measure.ts';
import { planOf } from './plan.ts';
import { tableOf } from './table.ts';

const options = readOptions({
  rounds: 7,
  quickRounds: 3,
  own: ['format', 'example', 'rows', 'concurrency', 'turn'],
});
const plan = planOf(options);
const frame = openFrame(
  'http',
  ['LibreOffice', 'Redis'],
  ['docxtemplater', 'pizzip', 'carbone', 'bullmq', 'hono', 'pg'],
);
const factories = availableParallelism();
const { turnouts, figures } = await inFolder((folder) => measureHttp(plan, { factories, folder }));
const raw = Object.fromEntries(Array.from(turnouts, ([name, each]) => [name, rawOf(each)]));
print(closeFrame(frame, { ...plan, quick: options.quick, factories }, figures, raw), options, tableOf(turnouts));
