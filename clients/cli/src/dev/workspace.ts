import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { CliError } from '../cli-error.ts';
import { hasCode } from '../error-code.ts';
import { exitCodes } from '../exit-codes.ts';
import { ProjectError, readProject } from '../test/project.ts';

/** A template with data. */
export interface DevCase {
  readonly template: string;
  readonly name: string;
  readonly templatePath: string;
  /** The file may not exist yet. */
  readonly dataPath: string;
  /** The `output` of the request. */
  readonly output: Readonly<Record<string, unknown>>;
  /** The delimiters of the template's tags, such as `{{ }}`. Default: braces. */
  readonly delimiters?: string | undefined;
}

export interface Workspace {
  /** Sorted by name. */
  readonly cases: readonly DevCase[];
  /** The folders to watch, including folders whose subfolders matter. */
  readonly folders: readonly string[];
  readonly deepFolders: readonly string[];
  /** The error of the folder, if any. */
  readonly problem: string | null;
}

/** The real path of a folder. Throws `usage` if it is not a folder. */
export async function findRoot(folder: string): Promise<string> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder)
    throw new CliError(exitCodes.usage, `${folder} is not a folder.`, 'Name the folder of your templates.');
  return await realpath(folder);
}

/**
 * The templates of a folder with their data: those of the project if there is a `docmill.json`, otherwise each
 * `<name>.docx` with `<name>.json` and `<name>.<case>.json`. A template without data has one case whose file does not
 * exist. Errors in the project are returned as `problem`; other file system errors are thrown.
 */
export async function readWorkspace(root: string): Promise<Workspace> {
  const names = (await readdir(root)).sort();
  if (!names.includes('docmill.json')) return readFolder(root, names);
  try {
    const { templates, cases, folders, delimiters } = await readProject(root);
    const found = templates.flatMap(({ name: template, path: templatePath }) => {
      const own = cases.filter((one) => one.template.name === template);
      const common = { template, templatePath, delimiters };
      const withData = own.map(({ name, dataPath, rules }) => ({ ...common, name, dataPath, output: rules.output }));
      const dataPath = join(folders.cases, template, 'first.json');
      return withData.length > 0 ? withData : [{ ...common, name: 'first', dataPath, output: {} }];
    });
    return { cases: found, folders: [root, folders.templates], deepFolders: [folders.cases], problem: null };
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    return { cases: [], folders: [root], deepFolders: [], problem: error.message };
  }
}

function readFolder(root: string, names: readonly string[]): Workspace {
  const templates = names.filter((name) => /^(?!~\$|\.).*\.docx$/i.test(name));
  const cases = templates.flatMap((file) => {
    const template = file.replace(/\.docx$/i, '');
    const isOwn = (name: string): boolean => {
      const middle = name.slice(template.length, -'.json'.length);
      return name.startsWith(template) && name.endsWith('.json') && (middle === '' || middle.startsWith('.'));
    };
    const own = names.filter(isOwn);
    return (own.length > 0 ? own : [`${template}.json`]).map((data) => ({
      template,
      name: basename(data, '.json'),
      templatePath: join(root, file),
      dataPath: join(root, data),
      output: {},
    }));
  });
  return { cases, folders: [root], deepFolders: [], problem: null };
}

/** The path as shown on the page. */
export const shownPath = (root: string, path: string): string => relative(root, path).replaceAll(sep, '/');

/** The real path of a file, which need not exist. Throws if it is outside the folder, for example through a link. */
export async function insideOf(root: string, path: string): Promise<string> {
  const real = await realPathOf(resolve(path));
  if (real.startsWith(root.endsWith(sep) ? root : root + sep)) return real;
  throw new CliError(
    exitCodes.usage,
    `${shownPath(root, path)} leads out of the folder.`,
    'Put the file into the folder.',
  );
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isMissing = hasCode(error, 'ENOENT');
    if (!isMissing || dirname(path) === path) throw error;
    return join(await realPathOf(dirname(path)), basename(path));
  }
}
