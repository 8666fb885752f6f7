import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ServiceProcess } from '../../faults/harness/service-process.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { useReplicas } from '../../support/upgrade/use-replicas.ts';

const foldersOf = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('pool-'));

/** A worker with LibreOffice on a database without tables, where it never becomes ready. */
async function startUnready(): Promise<{ readonly worker: ServiceProcess; readonly officeFolder: string }> {
  const { url } = await useOwnDatabase({ isEmpty: true });
  const officeFolder = join('/dev/shm', `docmill-start-${process.pid}-${performance.now()}`);
  mkdirSync(officeFolder, { mode: 0o711 });
  onTestFinished(() => rmSync(officeFolder, { recursive: true, force: true }));
  const office = { OFFICE_SLOTS: '1', OFFICE_START_TIMEOUT_MS: '120000', OFFICE_TEMP_DIR: officeFolder };
  const replicas = await useReplicas(url, { WORKER_QUEUES: 'docx,pdf,maintenance', ...office });
  return { worker: await replicas.spawn('worker'), officeFolder };
}

test.each<[string, (worker: ServiceProcess) => Promise<unknown>, unknown]>([
  ['LibreOffice starts', async () => undefined, undefined],
  [
    'it waits for its tables',
    async (worker) => JSON.parse((await worker.readiness().catch(() => ({ body: '{}' }))).body).checks?.schema,
    false,
  ],
])('a worker that ends while %s exits with 0 and leaves no files', async (_what, read, expected) => {
  const { worker, officeFolder } = await startUnready();
  await expect.poll(() => foldersOf(officeFolder).length, { interval: 5 }).toBeGreaterThan(0);
  await expect.poll(() => read(worker)).toBe(expected);
  expect(foldersOf(officeFolder)).not.toEqual([]);
  expect(await worker.stop()).toEqual({ code: 0, signal: null });
  expect(foldersOf(officeFolder)).toEqual([]);
});
