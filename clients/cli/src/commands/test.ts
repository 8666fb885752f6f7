import { writeFile } from 'node:fs/promises';
import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { createPreviewer } from '../preview/service-previewer.ts';
import { readLock } from '../templates/lock-file.ts';
import { createDeployedTemplates } from '../test/deployed-templates.ts';
import { toJunit } from '../test/junit.ts';
import { type Project, ProjectError, readProject } from '../test/project.ts';
import { toReport } from '../test/report.ts';
import { toLines } from '../test/result-lines.ts';
import type { TestResult } from '../test/results.ts';
import { runTests } from '../test/run-tests.ts';

const maxConcurrency = 16;

export function testCommand(cli: Cli): CommandUnknownOpts {
  return new Command('test')
    .description('render the cases of a project and compare text, page count and pixels with the expected pages')
    .argument('[folder]', 'folder with docmill.json', '.')
    .option('--update', 'write the expected pages of cases that differ')
    .option('--filter <text>', 'only cases whose <template>/<case> contains the text')
    .option('--report <file>', 'write an HTML page with pictures of the differences')
    .option('--junit <file>', 'write the results as JUnit XML')
    .option('--no-schema', 'do not compare the fields with those of the deployed templates')
    .option('--concurrency <number>', `cases at a time, 1 to ${maxConcurrency}`, parseConcurrency, 4)
    .addHelpText(
      'after',
      `
Exits with 1 when a case differs. Nothing is stored in the service or charged.

Examples:
  docmill test
  docmill test --filter invoice/ --report report.html
  docmill test --update`,
    )
    .action(async (folder, options, command) => {
      const { output, connect } = cli.start(command);
      const project = await read(folder, options.filter);
      const { docmill, profile } = connect();
      const lock = await readLock(folder, profile.url);
      const isUpdating = options.update === true;
      const results = await runTests(project, {
        previewer: createPreviewer(docmill, cli.signal, project.delimiters),
        deployed: options.schema ? createDeployedTemplates(docmill, lock, cli.signal, project.delimiters) : undefined,
        isUpdating,
        concurrency: options.concurrency,
        onResult: (result) => {
          if (!output.isJson) for (const line of toLines(result)) output.line(line);
        },
      });
      if (options.report !== undefined) await writeFile(options.report, toReport(results));
      if (options.junit !== undefined) await writeFile(options.junit, toJunit(results));
      const count = (status: TestResult['status']): number => results.filter((one) => one.status === status).length;
      const counts = {
        passed: count('passed'),
        failed: count('failed'),
        updated: count('updated'),
        skipped: count('skipped'),
      };
      output.result({ ...counts, results: results.map(({ pictures: _, ...result }) => result) }, () =>
        output.line(
          Object.entries(counts)
            .filter(([status, number]) => number > 0 || status === 'passed')
            .map(([status, number]) => `${number} ${status}`)
            .join(', '),
        ),
      );
      if (counts.failed > 0) cli.setExitCode(exitCodes.failed);
    });
}

async function read(folder: string, filter: string | undefined): Promise<Project> {
  try {
    const project = await readProject(folder, filter);
    if (project.cases.length > 0) return project;
    const hint = 'A case is a JSON file: cases/<template>/<case>.json.';
    throw new CliError(
      exitCodes.usage,
      filter === undefined ? 'There are no cases.' : `No case matches "${filter}".`,
      hint,
    );
  } catch (error) {
    if (error instanceof ProjectError) throw new CliError(exitCodes.usage, error.message);
    throw error;
  }
}

function parseConcurrency(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= maxConcurrency) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxConcurrency}.`);
}
