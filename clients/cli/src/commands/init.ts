import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { hasCode } from '../error-code.ts';
import { exitCodes } from '../exit-codes.ts';
import { createExampleTemplate, exampleDataText } from '../init/example-template.ts';
import { settingsFile } from '../test/project.ts';
import { writeWholeFile } from '../write-file.ts';

const nextSteps = [
  ['docmill dev', 'see the pages while you write'],
  ['docmill test --update', 'write the expected pages; look at them before you commit them'],
  ['docmill test', 'compare with the expected pages'],
  ['docmill templates push', 'upload the templates'],
] as const;

export function initCommand(cli: Cli): CommandUnknownOpts {
  return new Command('init')
    .description('make a project: settings, an example template with data, and a README')
    .argument('[folder]', 'folder of the project; created when it is missing', '.')
    .option('--dry-run', 'print the files, and write nothing')
    .addHelpText('after', '\nFiles that exist are kept.\n\nExamples:\n  docmill init\n  docmill init contracts')
    .action(async (folder, { dryRun }, command) => {
      const { output } = cli.start(command);
      const isDryRun = dryRun === true;
      if (await exists(join(folder, settingsFile))) {
        const hint = `Its templates are described by that file: docmill test ${folder}.`;
        throw new CliError(exitCodes.usage, `${join(folder, settingsFile)} exists: this is a project already.`, hint);
      }
      const files: { readonly path: string; readonly action: 'created' | 'kept' }[] = [];
      for (const [name, content] of projectFiles()) {
        const path = join(folder, name);
        const isKept = await exists(path);
        if (!isKept && !isDryRun) await writeWholeFile(path, content, false);
        files.push({ path, action: isKept ? 'kept' : 'created' });
      }
      const next = nextSteps.map(([step]) => step);
      output.result({ dryRun: isDryRun, folder, files, next }, () =>
        output.table(
          ['FILE', isDryRun ? 'WOULD BE' : 'ACTION'],
          files.map(({ path, action }) => [path, action]),
        ),
      );
      if (isDryRun || output.isJson) return;
      output.note('\nNext:');
      if (folder !== '.') output.note(`  cd ${folder}`);
      for (const [step, why] of nextSteps) output.note(`  ${step.padEnd(24)}${why}`);
    });
}

/** The settings come last, so that an interrupted run can be repeated. */
function projectFiles(): readonly (readonly [name: string, content: string | Uint8Array])[] {
  return [
    ['templates/example-invoice.docx', createExampleTemplate()],
    ['cases/example-invoice/example.json', exampleDataText],
    ['.gitignore', gitignore],
    ['README.md', readme],
    [settingsFile, '{\n  "templates": "templates",\n  "cases": "cases"\n}\n'],
  ];
}

const gitignore = `# Open documents of Word and LibreOffice
~$*
.~lock.*
# Files that are being written
*.part
# Reports of docmill test
report.html
junit.xml
`;

const readme = `# Document templates

Word templates of Docmill and the data they are tested with.

| | |
| --- | --- |
| \`templates/\` | one .docx for each template |
| \`cases/<template>/<case>.json\` | data; beside it the expected pages |
| \`docmill.json\` | settings |
| \`docmill.lock.json\` | the version of each template in the service; commit it |

\`\`\`sh
${nextSteps.map(([step, why]) => `${step.padEnd(24)}# ${why}`).join('\n')}
\`\`\`
`;

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
