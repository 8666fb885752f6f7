import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensureBuilt } from '../../../tools/local/build.ts';
import { projectFolder, type ServiceProcess } from '../../faults/harness/service-process.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { openReplicas } from '../../support/upgrade/replicas.ts';
import { variablesOf } from '../../support/upgrade/variables.ts';
import { temporaryFolder } from '../admin/run-admin.ts';

const slow = 180_000;
const foldersOf = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('pool-'));

/** A worker with LibreOffice on a database without tables, where it never becomes ready. */
async function startUnready(): Promise<{ readonly worker: ServiceProcess; readonly officeFolder: string }> {
  await ensureBuilt(projectFolder, process.env, () => undefined, new AbortController().signal);
  const { url } = await useOwnDatabase({ isEmpty: true });
  const folder = temporaryFolder();
  const officeFolder = join('/dev/shm', `docmill-start-${process.pid}-${performance.now()}`);
  mkdirSync(officeFolder, { mode: 0o711 });
  const variables = { WORKER_QUEUES: 'docx,pdf,maintenance', OFFICE_SLOTS: '1', OFFICE_START_TIMEOUT_MS: '120000' };
  const own = { ...variablesOf(url, folder), ...variables, OFFICE_TEMP_DIR: officeFolder };
  const replicas = openReplicas(folder, own);
  onTestFinished(async () => {
    await replicas.close();
    rmSync(officeFolder, { recursive: true, force: true });
  });
  return { worker: await replicas.spawn('worker'), officeFolder };
}

test.each<[string, (worker: ServiceProcess) => Promise<unknown>, unknown]>([
  ['LibreOffice starts', async () => undefined, undefined],
  [
    'it waits for its tables',
    async (worker) => JSON.parse((await worker.readiness().catch(() => ({ body: '{}' }))).body).checks?.schema,
    false,
  ],
])('a worker that ends while %s exits with 0 and leaves no files', { timeout: slow }, async (_what, read, expected) => {
  const { worker, officeFolder } = await startUnready();
  await expect.poll(() => foldersOf(officeFolder).length, { timeout: slow, interval: 5 }).toBe(1);
  await expect.poll(() => read(worker), { timeout: slow }).toBe(expected);
  expect(foldersOf(officeFolder)).toHaveLength(1);
  expect(await worker.stop(60_000)).toEqual({ code: 0, signal: null });
  expect(foldersOf(officeFolder)).toEqual([]);
});
