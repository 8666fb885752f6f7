import { readFile } from 'node:fs/promises';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import { type Docmill, NotFoundError } from '@docmill/client';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { hasCode } from '../error-code.ts';
import { exitCodes } from '../exit-codes.ts';
import { findTemplate } from '../find-template.ts';
import { declarationsMark, type TypedTemplate, writeDeclarations } from '../types/write-declarations.ts';
import { writeWholeFile } from '../write-file.ts';

const requestsAtOnce = 4;

export function typesCommand(cli: Cli): CommandUnknownOpts {
  return new Command('types')
    .description('write TypeScript types of the data that templates take, so that the compiler checks generate')
    .argument('[templates...]', 'names or ids of templates (default: all templates of the account)')
    .option('-o, --output <file>', 'the file to write; - is standard output', 'docmill.d.ts')
    .option('--check', 'write nothing; exit code 1 when the file is not up to date')
    .option('--force', 'replace the file also when docmill types did not write it')
    .addHelpText(
      'after',
      `
Examples:
  docmill types
  docmill types invoice letter --output src/docmill.d.ts
  docmill types --check`,
    )
    .action(async (named, { output: path, check, force }, command) => {
      const { output, connect } = cli.start(command);
      if (path === '-' && (check === true || output.isJson)) {
        const option = check === true ? '--check' : '--json';
        throw new CliError(exitCodes.usage, `${option} and --output - cannot be combined.`, 'Name a file.');
      }
      const before = path === '-' ? undefined : await readExisting(path);
      if (before !== undefined && check !== true && force !== true && !before.startsWith(declarationsMark)) {
        const hint = 'Use --force to replace it, or --output for another file.';
        throw new CliError(exitCodes.usage, `${path} was not written by docmill types.`, hint);
      }
      const { docmill } = connect();
      const templates = await readTemplates(docmill, named, cli.signal);
      const { text, typeNames, repeatedNames } = writeDeclarations(templates);
      for (const { name, schema } of templates) {
        if (schema === undefined)
          output.warn(`${name} has no stored schema, so any object is allowed: upload it again.`);
      }
      for (const name of repeatedNames)
        output.warn(`Several templates have the name ${name}: their types are by id only.`);
      if (path === '-') return void cli.stdout.write(text);
      const isCurrent = before?.replaceAll('\r\n', '\n') === text;
      if (!isCurrent && check !== true) await writeWholeFile(path, text, true);
      const listed = templates.map(({ id, name }) => ({ id, name, type: typeNames.get(id) }));
      output.result({ file: path, hasChanged: !isCurrent, templates: listed }, () => output.line(path));
      if (check === true && !isCurrent) {
        output.warn(`${path} is not up to date. Run docmill types with the same arguments, without --check.`);
        cli.setExitCode(exitCodes.failed);
      } else {
        output.note(`${templates.length} templates${isCurrent ? ', nothing has changed' : ''}`);
      }
    });
}

async function readExisting(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * The templates with these names or ids, or all of the account, each once, with the schemas of their current versions.
 */
async function readTemplates(
  docmill: Docmill,
  named: readonly string[],
  signal: AbortSignal,
): Promise<TypedTemplate[]> {
  const found = new Map<string, { readonly id: string; readonly name: string }>();
  if (named.length === 0) {
    for await (const template of docmill.templates.list({ limit: 1_000 }, { signal })) found.set(template.id, template);
  }
  for (const one of named) {
    const template = await findTemplate(docmill, one, signal);
    found.set(template.id, template);
  }
  const all = [...found.values()];
  const read: TypedTemplate[] = [];
  for (let first = 0; first < all.length; first += requestsAtOnce) {
    const some = all.slice(first, first + requestsAtOnce).map(async ({ id, name }) => {
      return { id, name, schema: await readSchema(docmill, id, signal) };
    });
    read.push(...(await Promise.all(some)));
  }
  return read;
}

/** Undefined for a version from before schemas were stored, or a template that was deleted in the meantime. */
async function readSchema(docmill: Docmill, id: string, signal: AbortSignal): Promise<unknown> {
  try {
    return (await docmill.templates.schema(id, {}, { signal })).schema;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
