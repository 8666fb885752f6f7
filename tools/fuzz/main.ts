import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { byProgram, createOperator } from '../../test/support/client/operator.ts';
import { type LocalStack, startLocalStack } from '../../test/support/services/local-stack.ts';
import { type FuzzReport, fuzz } from './run.ts';

/**
 * `npm run fuzz -- --requests 20000 [--seed N] [--url … --key … [--other-key …]]` sends requests generated from the
 * OpenAPI document to its own stack or to a running service. Exits with 1 if a response violates the document.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    url: { type: 'string' },
    key: { type: 'string' },
    'other-key': { type: 'string' },
  },
});

interface Target {
  readonly url: string;
  readonly apiKey: string;
  readonly otherKey: string | undefined;
  stop(): Promise<void>;
}

async function startTarget(): Promise<Target> {
  const { url, key, 'other-key': otherKey } = values;
  if (url !== undefined && key !== undefined) return { url, apiKey: key, otherKey, stop: async () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'docmill-fuzz-'));
  const stack = startLocalStack({
    LOCAL_DIR: folder,
    PORT: '0',
    RATE_LIMIT_REQUESTS: '0',
    MAIL_MESSAGES_PER_RECIPIENT_PER_DAY: '1000000000',
    DATABASE_TIMEOUT_MS: '20000',
  });
  const stop = () => stopStack(stack, folder);
  try {
    const line = await stack.ready;
    const operator = createOperator(byProgram(line.env));
    const plan = { docs: 1_000_000, templates: 100_000 };
    const [own, other] = [await operator.createAccount(plan), await operator.createAccount(plan)];
    return { url: line.url, apiKey: own.apiKey, otherKey: other.apiKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function stopStack(stack: LocalStack, folder: string): Promise<void> {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}

function print({ counts, violations, sent, saturated }: FuzzReport, seconds: number): void {
  const rows = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, byStatus]) => {
      const cells = [...byStatus]
        .sort(([a], [b]) => Number(a) - Number(b))
        .map(([status, count]) => `${status}: ${count}`);
      return `| ${name} | ${cells.join(', ')} |`;
    });
  process.stdout.write(`| Operation | Responses by status |\n| --- | --- |\n${rows.join('\n')}\n\n`);
  process.stdout.write(
    `seed ${values.seed}: ${sent} requests in ${Math.round(seconds)} s, ${saturated} refused because of overload, ${violations.length} kinds of violation\n`,
  );
  for (const violation of violations) process.stdout.write(`\n  ${violation}\n`);
}

const target = await startTarget();
const startedAtMs = performance.now();
try {
  const report = await fuzz({ ...target, requests: Number(values.requests), seed: Number(values.seed) });
  print(report, (performance.now() - startedAtMs) / 1_000);
  process.exitCode = report.violations.length === 0 ? 0 : 1;
} finally {
  await target.stop();
}
