import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { onTestFinished } from 'vitest';
import type { OfficePoolOptions } from '../../../../src/worker/pdf/office/office-pool.ts';
import { makeTempDir, startTestPool, type TestPool } from './office-fixture.ts';

/** A folder for pools, removed after the test. */
export async function tempDirForTest(): Promise<string> {
  const tempDir = await makeTempDir();
  onTestFinished(() => rm(dirname(tempDir), { recursive: true, force: true }));
  return tempDir;
}

/** A pool that is closed after the test. */
export async function poolForTest(overrides: Partial<OfficePoolOptions> = {}): Promise<TestPool> {
  const tempDir = overrides.tempDir ?? (await tempDirForTest());
  const office = await startTestPool({ ...overrides, tempDir });
  onTestFinished(() => office.pool.close());
  return office;
}
