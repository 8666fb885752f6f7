import { rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { describeMachine, projectFolder, readCommit, readVersions } from '../harness/machine.ts';
import { tableOf } from './table.ts';

/**
 * `npm run test:mutants [-- --save] [--concurrency 2]` creates mutants of these folders, each with one change to the
 * code, and counts those that the unit tests kill. `out/mutants/report.html` lists the survivors.
 */
const folders = [
  'src/shared/domain',
  'src/worker/documents',
  'src/worker/docx/language',
  'src/worker/docx/core',
  'src/api/http',
  'src/api/documents',
];
const { values } = parseArgs({
  options: { save: { type: 'boolean' }, concurrency: { type: 'string', default: String(availableParallelism()) } },
});

process.chdir(projectFolder);
const begunAt = new Date();
const { cores, model, loadBefore } = describeMachine();
const commit = readCommit();
const versions = readVersions([], ['@stryker-mutator/core', 'vitest']);
const output = 'out/mutants';
rmSync(output, { recursive: true, force: true });

const results = await new Stryker({
  mutate: folders.map((folder) => `${folder}/**/*.ts`),
  ignorePatterns: ['/out', '/dist', '/.local*'],
  plugins: ['@stryker-mutator/vitest-runner', './bench/mutants/sample.mjs'],
  ignorers: ['sample'],
  testRunner: 'vitest',
  vitest: { configFile: 'bench/mutants/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  // Code that runs at import needs all tests for each mutant, which takes hours.
  ignoreStatic: true,
  concurrency: Number(values.concurrency),
  dryRunTimeoutMinutes: 60,
  // Only meant for endless loops. Shorter limits would count mutants as killed on a busy machine although no test
  // detects them.
  timeoutMS: 90_000,
  timeoutFactor: 5,
  // Nothing is compiled, and Stryker cannot read a configuration with this TypeScript version.
  disableTypeChecks: false,
  tsconfigFile: 'none',
  tempDirName: `${output}/sandbox`,
  reporters: ['json', 'html', 'progress-append-only'],
  jsonReporter: { fileName: `${output}/report.json` },
  htmlReporter: { fileName: `${output}/report.html` },
  allowConsoleColors: false,
}).runMutationTest();

const mutants = results.map(({ fileName, status }) => ({ fileName: relative(projectFolder, fileName), status }));
const staticCount = results.filter((mutant) => mutant.static === true && mutant.status === 'Ignored').length;
const day = begunAt.toISOString().slice(0, 10);
const minutes = Math.round((Date.now() - begunAt.getTime()) / 60_000);
const text = `${[
  `# Mutants, ${day}`,
  '',
  `Commit ${commit.hash}${commit.isClean ? '' : ' with uncommitted changes'}, ${cores} cores of ${model}, load before ${loadBefore.toFixed(1)}, ${minutes} minutes with ${values.concurrency} at a time.`,
  `${Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}. \`npm run test:mutants\`: the unit ring on the sample of \`bench/mutants/sample.mjs\`.`,
  `Without ${staticCount} mutants of the sample in code that runs at import.`,
  '',
  ...tableOf(mutants, folders),
].join('\n')}\n`;
process.stdout.write(text);
if (values.save === true) writeFileSync(join('bench/results', `${day}-mutants-${commit.hash}.md`), text);
