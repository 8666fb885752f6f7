import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Cli, Service } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TemplateMetadata } from '../find-template.ts';
import { ProjectError, readTemplateFolder, settingsFile } from '../test/project.ts';
import { writeWholeFile } from '../write-file.ts';
import { type Lock, type LockEntry, lockEntry, readLock, writeLock } from './lock-file.ts';
import { newestVersion } from './newest-version.ts';
import { type Pair, pairTemplates } from './pair-templates.ts';

/** A folder of templates, paired with the templates of a service. */
export interface TemplateFolder {
  /** The path of the file of a pair. */
  readonly pathOf: (pair: Pair) => string;
  /** The requested pairs, in the order of the files. */
  readonly pairs: readonly Pair[];
  /** The delimiters of the tags in its files. Undefined: braces, or those of the replaced version. */
  readonly delimiters: string | undefined;
  /** Records that the file and the template are equal; `save` writes it. */
  readonly remember: (file: string, entry: LockEntry) => void;
  readonly save: () => Promise<void>;
}

interface OpenOptions {
  readonly root: string;
  /** Names of files or templates, or ids; empty means all. */
  readonly named: readonly string[];
  /** Whether saving turns a folder without a project into one. */
  readonly isNewAllowed: boolean;
}

/** Pairs the templates of the folder with those of the service. Throws `usage` for an invalid folder or name. */
export async function openTemplateFolder(
  { docmill, profile }: Service,
  { signal }: Pick<Cli, 'signal'>,
  { root, named, isNewAllowed }: OpenOptions,
): Promise<TemplateFolder> {
  const found = await readFolder(root);
  if (found === undefined && !isNewAllowed) {
    const hint = 'Create a project with docmill init, or fetch templates with docmill templates pull.';
    throw new CliError(exitCodes.usage, `${join(root, settingsFile)} is missing.`, hint);
  }
  const nothing = { folder: join(resolve(root), 'templates'), files: [], delimiters: undefined };
  const { folder, files, delimiters } = found ?? nothing;
  const lock = new Map(await readLock(root, profile.url));
  const before = JSON.stringify([...lock]);
  const templates: TemplateMetadata[] = [];
  for await (const template of docmill.templates.list({ limit: 1_000 }, { signal })) {
    templates.push(checkTemplate(await newestVersion(docmill, template, signal)));
  }
  const pairs = pairTemplates(files, lock, templates);
  return {
    pathOf: ({ file }) => join(folder, file),
    pairs: selectPairs(pairs, named),
    delimiters,
    remember: (file, { id, name, version, checksum }) => lock.set(file, { id, name, version, checksum }),
    async save() {
      if (found === undefined) await writeSettings(root);
      if (JSON.stringify([...lock]) !== before) await writeLock(root, profile.url, lock satisfies Lock);
    },
  };
}

async function readFolder(root: string): ReturnType<typeof readTemplateFolder> {
  try {
    return await readTemplateFolder(resolve(root));
  } catch (error) {
    if (error instanceof ProjectError) throw new CliError(exitCodes.usage, error.message);
    throw error;
  }
}

/** Names become file names, and ids are stored in the lock file, so invalid ones are rejected. */
function checkTemplate(template: TemplateMetadata): TemplateMetadata {
  const { success, error } = z.object(lockEntry).safeParse(template);
  if (success) return template;
  const problem = `The service sent a template that cannot be one.\n${z.prettifyError(error)}`;
  throw new CliError(exitCodes.failed, problem, 'Check that the address is that of a Docmill service.');
}

function selectPairs(pairs: readonly Pair[], named: readonly string[]): readonly Pair[] {
  if (named.length === 0) return pairs;
  const selected = named.map((name) => {
    const file = /\.docx$/i.test(name) ? name : `${name}.docx`;
    const matches = [
      pairs.filter((pair) => (pair.remote?.id ?? pair.locked?.id) === name),
      pairs.filter((pair) => pair.file === file),
      pairs.filter((pair) => pair.remote?.name === file),
    ];
    const found = matches.find(({ length }) => length > 0) ?? [];
    if (found.length === 1) return found[0];
    const problem = found.length === 0 ? 'There is no template' : 'Several templates have the name';
    const hint = found.length === 0 ? 'See what there is: docmill templates list.' : 'Name the file, or the id.';
    const exitCode = found.length === 0 ? exitCodes.notFound : exitCodes.usage;
    throw new CliError(exitCode, `${problem} ${JSON.stringify(name)}, in the folder or in the service.`, hint);
  });
  return pairs.filter((pair) => selected.includes(pair));
}

async function writeSettings(root: string): Promise<void> {
  await writeWholeFile(join(root, settingsFile), '{}\n', false);
}
