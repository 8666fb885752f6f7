import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type OperatorDesk, startOperatorDesk } from '../client/operator-server.ts';
import { startLocalStack } from './local-stack.ts';
import './provided.ts';

/** One whole stack for the acceptance ring, started as a person would start it, on a folder that goes when it ends. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'docmill-acceptance-'));
  // On a machine that others keep busy the database may take longer than a service waits that has one of its own.
  const stack = startLocalStack({ LOCAL_DIR: folder, PORT: '0', DATABASE_TIMEOUT_MS: '20000' });
  let desk: OperatorDesk | undefined;
  const tearDown = async (): Promise<void> => {
    await desk?.close();
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const line = await stack.ready;
    desk = await startOperatorDesk(line.env.DATABASE_URL ?? '');
    project.provide('stack', { ...line, deskUrl: desk.url });
    return tearDown;
  } catch (error) {
    await tearDown();
    throw error;
  }
}
