import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentOf } from '../harness/documents.ts';
import { readOptions } from '../harness/options.ts';
import type { Figure } from '../harness/report.ts';
import { closeFrame, openFrame, print } from '../harness/report.ts';
import { startServiceStack } from '../harness/stack.ts';
import { compare, rawOf, type Turnouts } from './compare.ts';
import { figuresOf } from './figures.ts';
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

interface Findings {
  readonly turnouts: Map<string, Turnouts>;
  readonly figures: Figure[];
}

/** Every document in every format asked for, one after the other, against one stack. */
async function measure(): Promise<Findings> {
  const findings: Findings = { turnouts: new Map(), figures: [] };
  const stack = await startServiceStack({ OFFICE_SLOTS: String(factories) });
  try {
    const apiKey = await stack.openAccount();
    for (const format of plan.formats) {
      for (const rows of plan.rows) {
        const document = documentOf(plan.example, rows);
        const templateId = await stack.upload(apiKey, `${plan.example}-${rows}.docx`, document.template);
        const name = `${format}, ${plan.example} of ${rows} rows`;
        process.stderr.write(`${name}\n`);
        const options = { factories, folder };
        const turnouts = await compare(stack, { apiKey, templateId }, document, plan, format, options);
        findings.turnouts.set(name, turnouts);
        findings.figures.push(...figuresOf(turnouts, document, plan, format));
      }
    }
    return findings;
  } finally {
    await stack.close();
  }
}

try {
  const { turnouts, figures } = await measure();
  const raw = Object.fromEntries(Array.from(turnouts, ([name, each]) => [name, rawOf(each)]));
  const report = closeFrame(frame, { ...plan, quick: options.quick, factories }, figures, raw);
  print(report, options, tableOf(turnouts));
} finally {
  await rm(folder, { recursive: true, force: true });
}
