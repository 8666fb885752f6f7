import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Argument, Command, type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { migrateTemplate } from '../migrate/migrate-template.ts';
import { type EngineName, engineNames, type MigrationReport, UnusableFile } from '../migrate/report.ts';
import type { Delimiters } from '../migrate/tags.ts';
import type { Output } from '../output.ts';
import { DocumentProblem } from '../preview/previewer.ts';
import { createPreviewer } from '../preview/service-previewer.ts';
import { readJsonObject } from '../read-json-object.ts';
import { rejectExisting, writeWholeFile } from '../write-file.ts';

const maxFiles = 1_000;

export function migrateCommand(cli: Cli): CommandUnknownOpts {
  return new Command('migrate')
    .description("rewrite templates of other engines to Docmill's language")
    .addArgument(new Argument('<path>', 'a .docx, or a folder of them'))
    .addOption(new Option('--from <engine>', 'the engine of the templates').choices(engineNames).makeOptionMandatory())
    .option(
      '--output <path>',
      'the new file; for a folder, the new folder (default: <name>.docmill.docx, <folder>-docmill)',
    )
    .option('--delimiters <pair>', 'what begins and ends a tag, if not the default, such as "{{ }}"', parseDelimiters)
    .option(
      '--data <file>',
      'fill the new template with this JSON through the service, to check it; - is standard input',
    )
    .option('--force', 'replace files that exist')
    .option('--dry-run', 'write no file')
    .addHelpText(
      'after',
      `
What has no equivalent stays as it was and is listed, with the line to write; the exit code is then 1. The templates are not
changed. Without --data nothing is sent to a service.

Examples:
  docmill migrate invoice.docx --from docxtemplater
  docmill migrate templates --from carbone --output docmill-templates`,
    )
    .action(async (path, options, command) => {
      const { output, connect } = cli.start(command);
      const isForced = options.force === true;
      const files = await listFiles(path, options.output);
      if (options.dryRun !== true && !isForced) for (const { target } of files) rejectExisting(target);
      const data = options.data === undefined ? undefined : await readJsonObject(options.data, cli.stdin);
      const previewer = data === undefined ? undefined : createPreviewer(connect().docmill, cli.signal);
      const results: FileResult[] = [];
      for (const { source, target } of files) {
        const { file, ...result } = await migrateFile(source, options.from, options.delimiters);
        const problems =
          file === undefined || previewer === undefined
            ? []
            : await problemsOf(() =>
                previewer.pdf({ file, data: JSON.stringify(data), output: { onMissing: 'error' } }, 1),
              );
        if (file !== undefined && options.dryRun !== true) await writeWholeFile(target, file, isForced);
        results.push({ ...result, target, problems });
        if (!output.isJson) printFile(output, { ...result, target, problems }, options);
      }
      output.result({ files: results }, () => undefined);
      if (results.some(isUnfinished)) cli.setExitCode(exitCodes.failed);
    });
}

interface FileResult {
  readonly source: string;
  readonly target: string;
  readonly report?: MigrationReport;
  /** Why the file cannot be migrated. */
  readonly error?: string;
  /** The service's errors when it fills the new template with --data. */
  readonly problems: readonly string[];
}

const isUnfinished = ({ report, error, problems }: FileResult): boolean =>
  error !== undefined || problems.length > 0 || (report?.left ?? 0) > 0;

function parseDelimiters(text: string): Delimiters {
  const [open, close, ...rest] = text.trim().split(/\s+/);
  if (open !== undefined && close !== undefined && rest.length === 0) return { open, close };
  throw new InvalidArgumentError('Write both with a space between them, such as "{{ }}".');
}

interface SourceFile {
  readonly source: string;
  readonly target: string;
}

async function listFiles(path: string, output: string | undefined): Promise<readonly SourceFile[]> {
  const state = await stat(path);
  if (!state.isDirectory()) {
    return [{ source: path, target: output ?? path.slice(0, path.length - extname(path).length) + newExtension }];
  }
  const names = (await readdir(path)).filter(isTemplate).sort();
  if (names.length === 0) throw new CliError(exitCodes.usage, `${path} has no .docx files.`);
  if (names.length > maxFiles) throw new CliError(exitCodes.usage, `${path} has more than ${maxFiles} .docx files.`);
  const folder = output ?? `${path.replace(/[/\\]+$/, '')}-docmill`;
  return names.map((name) => ({ source: join(path, name), target: join(folder, name) }));
}

const newExtension = '.docmill.docx';

/** Word keeps a hidden file next to each open document. */
const isTemplate = (name: string): boolean =>
  /\.docx$/i.test(name) && !name.startsWith('~$') && !name.endsWith(newExtension);

interface Migrated {
  readonly source: string;
  readonly file?: Uint8Array;
  readonly report?: MigrationReport;
  readonly error?: string;
}

async function migrateFile(source: string, engine: EngineName, delimiters: Delimiters | undefined): Promise<Migrated> {
  const bytes = await readFile(source);
  try {
    return { source, ...migrateTemplate(bytes, engine, delimiters) };
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    return { source, error: error.message };
  }
}

async function problemsOf(fill: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await fill();
    return [];
  } catch (error) {
    if (!(error instanceof DocumentProblem)) throw error;
    return error.messages;
  }
}

interface PrintOptions {
  readonly dryRun?: true | undefined;
  readonly data?: string | undefined;
}

function printFile(
  output: Output,
  { source, target, report, error, problems }: FileResult,
  { dryRun, data: dataFile }: PrintOptions,
): void {
  if (report === undefined) {
    output.warn(`${source}: ${error ?? 'The file cannot be read.'}`);
    return;
  }
  const { unchanged, rewritten, left, findings, data } = report;
  const name = dryRun === true ? basename(source) : target;
  output.line(`${name}: ${rewritten} rewritten, ${unchanged} unchanged, ${left} left`);
  for (const finding of findings) {
    const became = finding.replacement === undefined ? '' : ` → ${finding.replacement}`;
    output.line(`  ${finding.status.padEnd(5)}  ${finding.tag}${became}  (${finding.part}: ${finding.context})`);
    output.line(`         ${finding.reason}`);
    if (finding.write !== undefined) output.line(`         Write: ${finding.write}`);
  }
  for (const sentence of data) output.line(`  data   ${sentence}`);
  for (const problem of problems) output.line(`  filled ${problem}`);
  if (dataFile !== undefined && problems.length === 0) output.line(`  filled with ${dataFile}: no mistakes`);
}
