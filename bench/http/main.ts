import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentOf } from '../harness/documents.ts';
import { readOptions } from '../harness/options.ts';
import { closeFrame, openFrame, print } from '../harness/report.ts';
import { startServiceStack } from '../harness/stack.ts';
import { type Comparison, compare } from './compare.ts';
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
const folder = await mkdtemp(join(process.platform === 'linux' ? '/dev/shm' : tmpdir(), 'docmill-bench-'));
const factories = availableParallelism();

/** Every document in every format asked for, one after the other, against one stack. */
async function measure(): Promise<Map<string, Comparison>> {
  const stack = await startServiceStack({ OFFICE_SLOTS: String(factories) });
  try {
    const apiKey = await stack.openAccount();
    const comparisons = new Map<string, Comparison>();
    for (const format of plan.formats) {
      for (const rows of plan.rows) {
        const document = documentOf(plan.example, rows);
        const templateId = await stack.upload(apiKey, `${plan.example}-${rows}.docx`, document.template);
        const tenant = { apiKey, templateId };
        const name = `${format}, ${plan.example} of ${rows} rows`;
        process.stderr.write(`${name}\n`);
        comparisons.set(name, await compare(stack, tenant, document, plan, format, { factories, folder }));
      }
    }
    return comparisons;
  } finally {
    await stack.close();
  }
}

try {
  const comparisons = await measure();
  const figures = [...comparisons.values()].flatMap((comparison) => comparison.figures);
  const raw = Object.fromEntries(Array.from(comparisons, ([name, comparison]) => [name, comparison.raw]));
  const report = closeFrame(frame, { ...plan, quick: options.quick, factories }, figures, raw);
  print(report, options, tableOf(comparisons));
} finally {
  await rm(folder, { recursive: true, force: true });
}
