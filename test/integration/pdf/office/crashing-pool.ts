import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { officePid, type TestPool, until } from './office-fixture.ts';
import { poolForTest } from './pool-for-test.ts';

/** Python that replaces a function of the agent: its LibreOffice gets a segmentation fault. */
const crashInRebuild = `

def rebuild(document, instructions):
    import os, signal
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % pid) as file:
                name, parent = file.read().partition("(")[2].rpartition(")")[::2]
        except OSError:
            continue
        if name == "soffice.bin" and int(parent.split()[1]) == os.getpid():
            os.kill(int(pid), signal.SIGSEGV)
    return document.getDocumentIndexes().getCount()
`;

/** A pool whose LibreOffice crashes when it rebuilds indexes. */
export async function crashingPool(): Promise<TestPool> {
  const office = await poolForTest();
  const [pool = ''] = await readdir(office.tempDir);
  await appendFile(join(office.tempDir, pool, 'agent/indexes.py'), crashInRebuild);
  process.kill(await officePid(office), 'SIGKILL');
  await until(() => office.pool.status().restarts === 1 && office.pool.status().warm === 1);
  return office;
}
