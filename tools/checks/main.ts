import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeApiTypes } from '../../clients/typescript/tools/write-api-types.ts';
import { adminOperations, operations } from '../../src/api/app.ts';
import { createOpenApiDocument } from '../../src/api/documentation/openapi-document.ts';
import { writeBrunoCollection } from '../collections/write-bruno.ts';
import { writePostmanCollection } from '../collections/write-postman.ts';
import { ruleSources } from '../einvoice/rule-sources.ts';
import { writeRuleCoverage } from '../einvoice/write-rule-coverage.ts';
import { writeRules } from '../einvoice/write-rules.ts';
import { writeCommandLineReference } from './command-line-reference.ts';
import { writeConfigurationReference } from './configuration-reference.ts';
import { writeConsoleOptions } from './console-options.ts';
import { findConsoleProblems } from './console-rules.ts';
import { findBrokenReferences } from './document-references.ts';
import { writeExpressionParser } from './expression-parser.ts';
import { lintMigrations } from './lint-migrations.ts';
import { lintOpenApi } from './lint-openapi.ts';
import { writeLlmsText } from './llms-text.ts';
import { writePrometheusRule } from './prometheus-rule.ts';
import { pythonSyncFiles } from './python-sync-client.ts';
import { writePythonTypes } from './python-types.ts';
import { findRetiredWords } from './retired-words.ts';
import { writeRolesReference } from './roles-reference.ts';
import { sizingPage, writeSizingPage } from './sizing-table.ts';
import { findUnregisteredNames } from './unregistered-names.ts';

/**
 * Checks what compilers and linters do not: retired words, references between documents, console rules, downloads of
 * unregistered names, generated files, the OpenAPI document, and locks taken by migrations. `--write` rewrites the
 * generated files instead of comparing them. Prints a line for each problem, and exits with 1 if there are any.
 */
const isWriting = process.argv.includes('--write');
const openApi = createOpenApiDocument(operations, undefined, adminOperations);
/** Folders that contain only generated files. */
const generatedFolders = ['clients/bruno/'];
const generated: readonly { readonly file: string; readonly write: () => string | Promise<string> }[] = [
  { file: 'docs/reference/configuration.md', write: writeConfigurationReference },
  { file: 'docs/reference/roles.md', write: writeRolesReference },
  { file: 'docs/reference/command-line.md', write: writeCommandLineReference },
  { file: 'src/worker/docx/language/expressions/generated-parser.js', write: writeExpressionParser },
  ...Object.entries(ruleSources).map(([name, read]) => ({
    file: `packages/einvoice/src/rules/generated-${name}.ts`,
    write: () => writeRules(read()),
  })),
  { file: 'docs/reference/invoice-rules.md', write: writeRuleCoverage },
  { file: 'clients/python/src/docmill/types.py', write: writePythonTypes },
  ...pythonSyncFiles(),
  { file: 'deploy/kubernetes/components/monitoring/prometheus-rule.yaml', write: writePrometheusRule },
  { file: 'clients/typescript/src/generated-api.ts', write: () => writeApiTypes(openApi) },
  { file: 'src/console/playground/generated-options.json', write: () => writeConsoleOptions(openApi) },
  { file: sizingPage, write: writeSizingPage },
  { file: 'docs/llms.txt', write: () => writeLlmsText(openApi) },
  { file: 'clients/postman/docmill.postman_collection.json', write: () => writePostmanCollection(openApi) },
  ...[...writeBrunoCollection(openApi)].map(([file, text]) => ({ file: `clients/bruno/${file}`, write: () => text })),
];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '');

const problems = [
  ...findRetiredWords(files).map(({ file, line, found, use }) => `${file}:${line}: "${found}" is retired, use: ${use}`),
  ...findBrokenReferences(files).map(({ file, line, target }) => `${file}:${line}: ${target} does not exist`),
  ...findConsoleProblems(files).map(({ file, line, problem }) => `${file}:${line}: ${problem}`),
  ...findUnregisteredNames(files).map(
    ({ file, line, command }) =>
      `${file}:${line}: "${command}" downloads a name that anybody can register: use a path or a package file`,
  ),
  ...lintMigrations().map(
    ({ migration, statement, problem }) => `drizzle/${migration}.sql, statement ${statement}: ${problem}`,
  ),
  ...(isWriting ? [] : await lintOpenApi({ ...openApi })),
  ...(await writeOrCompare()),
];
process.stdout.write(problems.map((problem) => `${problem}\n`).join(''));
process.exitCode = problems.length === 0 ? 0 : 1;

async function writeOrCompare(): Promise<string[]> {
  const outdated: string[] = [];
  for (const { file, write } of generated) {
    const text = await write();
    if (isWriting) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    } else if (readOrEmpty(file) !== text) outdated.push(`${file} is out of date: run npm run generate`);
  }
  for (const file of files) {
    const isLeftOver =
      generatedFolders.some((folder) => file.startsWith(folder)) && generated.every((one) => one.file !== file);
    if (isLeftOver && isWriting) rmSync(file, { force: true });
    else if (isLeftOver) outdated.push(`${file} is no longer generated: run npm run generate`);
  }
  return outdated;
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
