import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startLocalStack } from './local-stack.ts';
import './provided.ts';

/** One whole stack for the acceptance ring, started as a person would start it, on a folder that goes when it ends. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'docmill-acceptance-'));
  const stack = startLocalStack({ LOCAL_DIR: folder, PORT: '0' });
  const tearDown = async (): Promise<void> => {
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    project.provide('stack', await stack.ready);
    return tearDown;
  } catch (error) {
    await tearDown();
    throw error;
  }
}
