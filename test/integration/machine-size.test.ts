import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const module = new URL('../../src/shared/config/machine-size.ts', import.meta.url).href;
const v1 = '/sys/fs/cgroup/cpu/cpu.cfs_quota_us';
const v2 = '/sys/fs/cgroup/cgroup.subtree_control';
const isRoot = process.getuid?.() === 0;

/**
 * Creates a control group with limits and returns the files that processes join by. Undefined where it is not allowed.
 */
function limitedGroup(name: string, cpus: number, memoryBytes: number): string[] | undefined {
  const folders: Record<string, Record<string, string>> = existsSync('/sys/fs/cgroup/cpu')
    ? {
        [`/sys/fs/cgroup/cpu/${name}`]: { 'cpu.cfs_period_us': '100000', 'cpu.cfs_quota_us': String(cpus * 100_000) },
        [`/sys/fs/cgroup/memory/${name}`]: { 'memory.limit_in_bytes': String(memoryBytes) },
      }
    : { [`/sys/fs/cgroup/${name}`]: { 'cpu.max': `${cpus * 100_000} 100000`, 'memory.max': String(memoryBytes) } };
  try {
    for (const [folder, limits] of Object.entries(folders)) {
      mkdirSync(folder);
      onTestFinished(() => rmdirSync(folder));
      for (const [file, value] of Object.entries(limits)) writeFileSync(`${folder}/${file}`, value);
    }
  } catch {
    return undefined;
  }
  return Object.keys(folders).map((folder) => `${folder}/cgroup.procs`);
}

it.skipIf(!isRoot || !(existsSync(v1) || existsSync(v2) || existsSync('/sys/fs/cgroup/memory')))(
  'a process in a control group sees its limits',
  async ({ skip }) => {
    const joins = limitedGroup(`docmill-test-${process.pid}`, 1, 512 * 1024 ** 2);
    if (joins === undefined) return skip('this machine lets nobody create control groups');
    const script = `import { readMachineSize } from '${module}';
      process.stdout.write(JSON.stringify(readMachineSize('/', 8)));`;
    const join = `for file; do echo $$ > "$file" || exit 1; done; exec "$NODE" --import tsx --input-type module -e "$SCRIPT"`;
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', join, 'sh', ...joins], {
      env: { ...process.env, NODE: process.execPath, SCRIPT: script },
    });
    expect(JSON.parse(stdout)).toEqual({ cpus: 1, memoryBytes: 512 * 1024 ** 2, hasCpuQuota: true });
  },
);
