import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, relative } from 'node:path';
import { afterAll, expect } from 'vitest';

/**
 * Writes a line of JSON for each test file to the file named by TEST_TIMES: when it ran, the processor time of its
 * process and of the processes that it started and that have ended, in milliseconds, and the programs that it started.
 */
const target = process.env.TEST_TIMES;
const ticksPerSecond = 100; // USER_HZ, the unit of /proc/<pid>/stat on every Linux

interface Usage {
  readonly ownMs: number;
  readonly childrenMs: number;
}

function readUsage(): Usage {
  // The name of the program, in parentheses, may contain spaces; the fields after it are numbered from 3 (proc(5)).
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ms = (field: number): number => (Number(fields[field - 3]) * 1_000) / ticksPerSecond;
  return { ownMs: ms(14) + ms(15), childrenMs: ms(16) + ms(17) };
}

/** Such as `redis-server`, or `node main.js`. */
function programOf({ spawnfile, spawnargs = [] }: ChildProcess): string {
  const name = basename(spawnfile ?? 'unknown');
  const script = spawnargs.slice(1).find((word) => /^[^-].*\.[cm]?[jt]s$/.test(word));
  return name === 'node' && script !== undefined ? `node ${basename(script)}` : name;
}

if (target !== undefined && process.platform === 'linux') {
  const programs = new Map<string, number>();
  const before = readUsage();
  const startedAt = Date.now();
  subscribe('child_process', (message) => {
    const { process: child } = message as { readonly process: ChildProcess };
    // The process has not started its program yet.
    process.nextTick(() => {
      const shown = programOf(child);
      programs.set(shown, (programs.get(shown) ?? 0) + 1);
    });
  });
  afterAll(() => {
    const after = readUsage();
    const file = relative(process.cwd(), expect.getState().testPath ?? 'unknown');
    const line = {
      file,
      startedAt,
      endedAt: Date.now(),
      ownMs: after.ownMs - before.ownMs,
      childrenMs: after.childrenMs - before.childrenMs,
      programs: Object.fromEntries(programs),
      cores: availableParallelism(),
    };
    appendFileSync(target, `${JSON.stringify(line)}\n`);
  });
}
