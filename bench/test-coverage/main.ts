import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine, projectFolder, readCommit } from '../harness/machine.ts';
import { type FileCoverage, merge, type Share, shareOf, sum } from './count.ts';

/**
 * `npm run test:coverage [-- --rings unit,integration] [--save]`: the lines and branches of `src` that the tests of
 * each suite run within their own processes, by folder. Separate processes that a test starts are not counted.
 */
const { values } = parseArgs({
  options: { rings: { type: 'string', default: 'unit,integration' }, save: { type: 'boolean' } },
});
const rings = values.rings.split(',');
const commit = readCommit();
const machine = describeMachine();
const begunAt = new Date().toISOString();

type Report = Readonly<Record<string, FileCoverage>>;

function run(ring: string): Report {
  const folder = `out/coverage/${ring}`;
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      ...['run', '--project', ring, '--coverage.enabled', '--coverage.provider=v8', '--coverage.reportOnFailure'],
      ...[
        '--coverage.include=src/**/*.{ts,tsx}',
        '--coverage.include=packages/*/src/**/*.ts',
        '--coverage.reporter=json',
        `--coverage.reportsDirectory=${folder}`,
      ],
    ],
    { cwd: projectFolder, stdio: ['ignore', 2, 2] },
  );
  // A failed test covers less, so the figures would not be comparable.
  if (status !== 0) process.exitCode = 1;
  return JSON.parse(readFileSync(join(projectFolder, folder, 'coverage-final.json'), 'utf8')) as Report;
}

/** `src/admin` and each package are one row; the API, the worker and the shared code have a row for each subfolder. */
function folderOf(file: string): string {
  const parts = relative(projectFolder, file).split('/').slice(0, -1);
  return parts.slice(0, ['worker', 'shared', 'api'].includes(parts[1] ?? '') ? 3 : 2).join('/');
}

function percent({ covered, total }: Share): string {
  return total === 0 ? '–' : ((covered / total) * 100).toFixed(1);
}

const reports = rings.map(run);
const columns = rings.length === 1 ? reports : [...reports, merge(reports)];
const files = [...new Set(columns.flatMap(Object.keys))];
const folders = [...new Set(files.map(folderOf))].sort();
const row = (name: string, isIn: (file: string) => boolean): string => {
  const shares = columns.map((report) =>
    sum(
      files
        .filter(isIn)
        .flatMap((file) => report[file] ?? [])
        .map(shareOf),
    ),
  );
  const cells = shares.flatMap(({ lines, branches }) => [percent(lines), percent(branches)]);
  return `| ${name} | ${shares.at(-1)?.lines.total} | ${shares.at(-1)?.branches.total} | ${cells.join(' | ')} |`;
};
const names = [...rings, ...(rings.length > 1 ? ['together'] : [])];
const lines = [
  `# Coverage by ring, ${begunAt.slice(0, 10)}`,
  '',
  `Commit ${commit.hash}${commit.isClean ? '' : ' with uncommitted changes'}, ${machine.cores} cores of ${machine.model}, Node.js ${process.versions.node}.`,
  `\`npm run test:coverage -- ${process.argv.slice(2).join(' ')}\`. Lines and branches of \`src\` and \`packages\` that run within the processes of the tests, in per cent.`,
  `Processes that a test starts are not counted.${process.exitCode === 1 ? ' **A test failed: do not compare.**' : ''}`,
  '',
  `| folder | lines | branches | ${names.map((name) => `${name}: lines | branches`).join(' | ')} |`,
  `| --- | ${Array.from({ length: 2 + 2 * names.length }, () => '---:').join(' | ')} |`,
  ...folders.map((folder) => row(`\`${folder}\``, (file) => folderOf(file) === folder)),
  row('all', () => true),
];
const text = `${lines.join('\n')}\n`;
process.stdout.write(text);
if (values.save === true) {
  const file = `bench/results/${begunAt.slice(0, 10)}-coverage-${commit.hash}.md`;
  mkdirSync(join(projectFolder, 'bench/results'), { recursive: true });
  writeFileSync(join(projectFolder, file), text);
  process.stderr.write(`saved ${file}\n`);
}
