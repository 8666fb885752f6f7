import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import type { components, Docmill } from '@docmill/client';
import { createTwoFilesPatch } from 'diff';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TemplateMetadata } from '../find-template.ts';
import type { Output } from '../output.ts';
import { shorten } from '../shorten.ts';
import { isSchemaBreak } from '../test/deployed-templates.ts';
import { readDocxText, UnreadableDocx } from './docx-text.ts';
import type { Pair } from './pair-templates.ts';
import { compareFields, type FieldChange } from './schema-fields.ts';
import { describeFault } from './sync-results.ts';
import { readTemplate } from './template-file.ts';
import { openTemplateFolder, type TemplateFolder } from './template-folder.ts';

/** The time limit of the line-by-line comparison, in milliseconds. */
const textTimeoutMs = 10_000;

interface Difference {
  readonly file: string;
  readonly id: string | null;
  /** The deployed version. */
  readonly version: number | null;
  readonly state: 'same' | 'different' | 'only here' | 'only in the service';
  /** A unified diff of the text, from the deployed version to the file; empty if they are equal. */
  readonly text: string;
  readonly tags: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** Compatible changes of the data. */
  readonly fields: readonly FieldChange[];
  /** Changes that break clients which send data for the deployed version. */
  readonly breaks: readonly string[];
  /** Why a comparison failed, or why the file would be rejected. */
  readonly problem?: string;
}

export function diffTemplatesCommand(cli: Cli): CommandUnknownOpts {
  return new Command('diff')
    .description('compare text, tags and fields of the files with the deployed templates')
    .argument('[templates...]', 'names of files or templates (default: all)')
    .option('--folder <folder>', 'folder of the project', '.')
    .addHelpText(
      'after',
      `
Lines with "-" are deployed, lines with "+" are here. A change of the fields that breaks clients is marked "!". Exits with 1 when
there are differences. Nothing is stored or charged.

Examples:
  docmill templates diff
  docmill templates diff invoice --profile production`,
    )
    .action(async (named, { folder: root }, command) => {
      const { output, connect } = cli.start(command);
      const service = connect();
      const folder = await openTemplateFolder(service, cli, { root, named, isNewAllowed: false });
      const differences: Difference[] = [];
      for (const pair of folder.pairs) {
        const difference = await compare(service.docmill, folder, pair, cli.signal);
        differences.push(difference);
        if (!output.isJson) print(output, difference);
      }
      const different = differences.filter(({ state }) => state !== 'same');
      output.result({ templates: differences }, () => {
        if (different.length === 0) output.note('There are no differences.');
      });
      if (different.length > 0) cli.setExitCode(exitCodes.failed);
    });
}

async function compare(docmill: Docmill, folder: TemplateFolder, pair: Pair, signal: AbortSignal): Promise<Difference> {
  const { file, remote, locked } = pair;
  const none = { text: '', tags: { added: [], removed: [] }, fields: [], breaks: [] };
  const common = { file, id: remote?.id ?? locked?.id ?? null, version: remote?.version ?? null, ...none };
  const local = await readTemplate(folder.pathOf(pair));
  if (remote === undefined) return { ...common, state: 'only here' };
  if (local === undefined) return { ...common, state: 'only in the service' };
  if (local.checksum === remote.checksum) return { ...common, state: 'same' };
  const deployed = await docmill.templates.downloadVersion(remote.id, remote.version, { signal });
  const [text, data] = [
    compareTexts(file, remote, deployed, local.bytes),
    await compareData(docmill, remote, local.bytes, signal),
  ];
  return { ...common, ...data, ...text, state: 'different' };
}

function compareTexts(
  file: string,
  { version }: TemplateMetadata,
  deployed: Uint8Array,
  local: Uint8Array,
): Pick<Difference, 'text' | 'problem'> {
  try {
    const [before, after] = [readDocxText(deployed), readDocxText(local)];
    const names = [`version ${version}/${file}`, `here/${file}`] as const;
    const texts = [joinLines(before), joinLines(after)] as const;
    if (texts[0] === texts[1]) return { text: '' };
    const patch = createTwoFilesPatch(...names, ...texts, undefined, undefined, { context: 2, timeout: textTimeoutMs });
    return patch === undefined ? { text: '', problem: 'the texts differ in too many places' } : { text: patch };
  } catch (error) {
    if (!(error instanceof UnreadableDocx)) throw error;
    return { text: '', problem: `the text cannot be read: ${error.message}` };
  }
}

const joinLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

async function compareData(
  { templates }: Docmill,
  { id, version, tags }: TemplateMetadata,
  local: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<Partial<Difference>> {
  let next: components['schemas']['ValidTemplate'];
  try {
    next = await templates.validate(local, { replaces: id }, { signal });
  } catch (error) {
    const fault = describeFault(error);
    if (fault?.action !== 'failed') throw error;
    return { problem: `the file would be rejected: ${fault.message}` };
  }
  const breaks = next.warnings.filter(isSchemaBreak);
  const broken = new Set(breaks.flatMap(({ paths = [] }) => paths));
  const { schema } = await templates.schema(id, { version }, { signal });
  return {
    tags: { added: without(next.tags, tags), removed: without(tags, next.tags) },
    fields: compareFields(schema, next.schema).filter(({ name }) => !broken.has(name)),
    breaks: breaks.map(({ message }) => message),
  };
}

function without(all: readonly string[], some: readonly string[]): readonly string[] {
  const excluded = new Set(some);
  return all.filter((one) => !excluded.has(one));
}

const maxTextLines = 60;
const maxLines = 20;

function print(output: Output, difference: Difference): void {
  const { file, version, state, text, tags, fields, breaks, problem } = difference;
  if (state === 'same') return;
  output.line(`${file}: ${state === 'different' ? `differs from version ${version}` : state}`);
  if (problem !== undefined) output.warn(`${file}: ${problem}`);
  // Unrelated templates differ in everything.
  const list = (lines: readonly string[], max: number, what: string): void => {
    for (const line of shorten(lines, max, (rest) => `… ${rest} more ${what}; --json has all of them`))
      output.line(line);
  };
  // The first line of a patch is only a separator.
  list(text.split('\n').slice(1, -1), maxTextLines, 'lines of text');
  list(
    tags.removed.map((name) => `- tag ${name}`),
    maxLines,
    'tags that are removed',
  );
  list(
    tags.added.map((name) => `+ tag ${name}`),
    maxLines,
    'tags that are added',
  );
  list(
    breaks.map((message) => `! ${message}`),
    maxLines,
    'changes that break clients',
  );
  list(fields.map(describeField), maxLines, 'fields');
}

function describeField({ name, change, from, to }: FieldChange): string {
  if (change === 'changed') return `~ field ${name}: ${to}, was ${from}`;
  return change === 'added' ? `+ field ${name}: ${to}` : `- field ${name}: ${from}`;
}
