import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { byServer, type RunLine } from '../client/operator.ts';
import { startOperatorServer } from '../client/operator-server.ts';
import { type ServiceUnderTest, useService } from '../client/service-under-test.ts';
import { type StackLine, startLocalStack } from './local-stack.ts';

interface OwnStack extends ServiceUnderTest {
  readonly line: StackLine;
  /** Runs a command line of the operator. */
  readonly runLine: RunLine;
  /** The metrics of all processes. */
  readMetrics(): Promise<string>;
}

/** Starts a stack for the tests of this file alone, because its variables or what the tests do would disturb others. */
export async function useOwnStack(env: Readonly<Record<string, string>> = {}): Promise<OwnStack> {
  const folder = mkdtempSync(join(tmpdir(), 'docmill-own-'));
  const stack = startLocalStack({ LOCAL_DIR: folder, PORT: '0', ...env });
  const cleanUps = [() => stack.stop()] as (() => Promise<unknown>)[];
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
    rmSync(folder, { recursive: true, force: true });
  });
  const line = await stack.ready;
  const operator = await startOperatorServer(line.env.DATABASE_URL ?? '');
  cleanUps.unshift(() => operator.close());
  return {
    ...(await useService({ ...line, operatorUrl: operator.url })),
    line,
    runLine: byServer(operator.url),
    readMetrics: async () =>
      (await Promise.all(line.metricsUrls.map(async (url) => (await fetch(url)).text()))).join('\n'),
  };
}
