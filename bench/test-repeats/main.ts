import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine, projectFolder, readCommit } from '../harness/machine.ts';
import { runTests, type TestRun } from './run-tests.ts';

const { values } = parseArgs({
  options: {
    idle: { type: 'string', default: '5' },
    busy: { type: 'string', default: '3' },
    save: { type: 'boolean' },
  },
});
const busyProcesses = 2;

/** Starts two processes that each keep one processor busy, until the returned function stops them. */
function makeBusy(): () => void {
  const children = Array.from({ length: busyProcesses }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  return () => {
    for (const child of children) child.kill('SIGKILL');
  };
}

process.chdir(projectFolder);
const begunAt = new Date();
const machine = describeMachine();
const commit = readCommit();
const folder = join(projectFolder, 'out/test-repeats');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());

const loads = [
  ...Array.from({ length: Number(values.idle) }, () => 'idle'),
  ...Array.from({ length: Number(values.busy) }, () => `${busyProcesses} busy processes`),
];
const runs: TestRun[] = [];
for (const [index, load] of loads.entries()) {
  const endLoad = load === 'idle' ? () => undefined : makeBusy();
  try {
    const run = await runTests({ name: `run-${index + 1}`, load, folder, signal: interrupted.signal });
    if (interrupted.signal.aborted) break;
    runs.push(run);
    process.stderr.write(`run ${index + 1} of ${loads.length}, ${load}: ${run.passed} passed, ${run.failed} failed\n`);
  } finally {
    endLoad();
  }
}

const day = begunAt.toISOString().slice(0, 10);
const text = `${[
  `# Repeated tests, ${day}`,
  '',
  `Commit ${commit.hash}${commit.isClean ? '' : ' with uncommitted changes'}, ${machine.cores} cores of ${machine.model}, ${machine.memoryGb} GB, load before ${machine.loadBefore.toFixed(1)}, Node.js ${process.versions.node}.`,
  `\`scripts/repeat-tests --idle ${values.idle} --busy ${values.busy}\`: \`npm test\` without a second attempt at anything.`,
  '',
  '| run | load | passed | failed | seconds | failures |',
  '| ---: | --- | ---: | ---: | ---: | --- |',
  ...runs.map(({ load, passed, failed, seconds, failures }, index) => {
    const names = failures.map((name) => name.replaceAll('|', '\\|')).join('<br>');
    return `| ${[index + 1, load, passed, failed, seconds, names].join(' | ')} |`;
  }),
].join('\n')}\n`;
process.stdout.write(text);
const isWhole = runs.length === loads.length;
if (values.save === true && isWhole)
  writeFileSync(join('bench/results', `${day}-test-repeats-${commit.hash}.md`), text);
process.exit(isWhole && runs.every(({ failures }) => failures.length === 0) ? 0 : 1);
