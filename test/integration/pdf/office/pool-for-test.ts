import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createDocxPool, type DocxPool } from '../../../../src/worker/docx/sandbox/docx-pool.ts';
import type { OfficePoolOptions } from '../../../../src/worker/pdf/office/office-pool.ts';
import { olderOffice } from '../../../support/older-office.ts';
import { logger, makeTempDir, startTestPool, type TestPool } from './office-fixture.ts';

const older = olderOffice();
/** The LibreOffice of the system, and in the extended tests the oldest one that is supported. */
export const engines = [
  { name: 'the LibreOffice of the system', sofficePath: undefined },
  ...(older === undefined ? [] : [{ name: 'LibreOffice 7.4', sofficePath: older }]),
];

/** A pool that the tests of a file, or of a `describe`, share. */
export function useOffice(overrides: Partial<OfficePoolOptions> = {}): TestPool {
  const office = {} as TestPool;
  beforeAll(async () => void Object.assign(office, await startTestPool(overrides)));
  afterAll(() => office.close());
  return office;
}

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

/** One process that inspects and fills templates. */
export const newDocxPool = (): DocxPool =>
  createDocxPool({
    processes: 1,
    renderTimeoutMs: 240_000,
    inspectTimeoutMs: 240_000,
    heapMb: 512,
    templateCacheBytes: 1_000_000,
    logger,
  });
