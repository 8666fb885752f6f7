import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/**
 * Prints tables about a test run from the lines that test/support/times/record-file.ts wrote: time by suite and folder,
 * started programs, and the slowest files. A file's processor time includes its process and all child processes that
 * have ended, but not the servers that several files share. The rest of its time is waiting.
 */
const slowest = 60;
const lines = readFileSync(process.argv[2] ?? '', 'utf8')
  .split('\n')
  .filter(Boolean);
const files = lines.map((line) => JSON.parse(line));
const seconds = (ms) => (ms / 1_000).toFixed(1);
const cpuOf = ({ ownMs, childrenMs }) => ownMs + childrenMs;
const wallOf = ({ startedAt, endedAt }) => endedAt - startedAt;
const sum = (rows, of) => rows.reduce((total, row) => total + of(row), 0);

const groupBy = (of) => {
  const groups = new Map();
  for (const file of files) groups.set(of(file), [...(groups.get(of(file)) ?? []), file]);
  return [...groups].sort(([, one], [, other]) => sum(other, cpuOf) - sum(one, cpuOf));
};
const print = (...rows) => process.stdout.write(`${rows.join('\n')}\n`);
const elapsed = (rows) => Math.max(...rows.map((row) => row.endedAt)) - Math.min(...rows.map((row) => row.startedAt));

print(`${files.length} files, ${availableParallelism()} processors, seconds.`, '');
const table = (title, groups) => {
  print(
    `| ${title} | files | from first to last | in files | processor | waiting | programs started |`,
    '| --- | --: | --: | --: | --: | --: | --: |',
  );
  for (const [name, rows] of groups) {
    const [wall, cpu] = [sum(rows, wallOf), sum(rows, cpuOf)];
    const started = sum(rows, ({ programs }) => sum(Object.values(programs), (count) => count));
    const numbers = [
      rows.length,
      seconds(elapsed(rows)),
      seconds(wall),
      seconds(cpu),
      seconds(Math.max(0, wall - cpu)),
      started,
    ];
    print(`| ${name} | ${numbers.join(' | ')} |`);
  }
  print('');
};
table(
  'suite',
  groupBy(({ file }) => file.split('/')[1]),
);
table(
  'folder',
  groupBy(({ file }) => file.split('/').slice(1, 3).join('/')),
);

const programs = new Map();
for (const file of files)
  for (const [name, count] of Object.entries(file.programs)) programs.set(name, (programs.get(name) ?? 0) + count);
print('| program | started |', '| --- | --: |');
for (const [name, count] of [...programs].sort(([, one], [, other]) => other - one)) print(`| ${name} | ${count} |`);

print('', '| file | seconds | processor | of children | waiting |', '| --- | --: | --: | --: | --: |');
for (const row of files.toSorted((one, other) => wallOf(other) - wallOf(one)).slice(0, slowest)) {
  const numbers = [wallOf(row), cpuOf(row), row.childrenMs, Math.max(0, wallOf(row) - cpuOf(row))].map(seconds);
  print(`| ${row.file.slice('test/'.length)} | ${numbers.join(' | ')} |`);
}
