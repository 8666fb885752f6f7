import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};
const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/stat`))
    .map(Number)
    .filter((pid) => new RegExp(`^PPid:\\s*${parent}$`, 'm').test(statusOf(pid)));
const statusOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
};

it('a render process that computes forever ends with a worker killed with -9', async () => {
  const host = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'spinning-host.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void host.kill('SIGKILL'));
  await once(host.stdout, 'data');
  const spinning = childrenOf(host.pid ?? 0).find((pid) => commandOf(pid).includes('spinning-process'));
  expect(spinning).toBeDefined();
  onTestFinished(() => {
    if (spinning !== undefined && commandOf(spinning).includes('spinning-process')) process.kill(spinning, 'SIGKILL');
  });
  host.kill('SIGKILL');
  await vi.waitFor(() => expect(commandOf(spinning ?? 0)).toBe(''), 10_000);
});
