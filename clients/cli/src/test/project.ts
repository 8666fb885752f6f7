import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { hasCode } from '../error-code.ts';
import { addRules, defaultRules, type Rules, rulesSchema } from './rules.ts';

/** An error in the project, not in a template: what is wrong and what to do. */
export class ProjectError extends Error {}

export interface TemplateFile {
  /** The file name without `.docx`. */
  readonly name: string;
  readonly path: string;
}

export interface TestCase {
  readonly template: TemplateFile;
  readonly name: string;
  readonly dataPath: string;
  /** The folder of the expected pages. */
  readonly goldenFolder: string;
  readonly rules: Rules;
}

export interface Project {
  /** Two delimiters for all tags, separated by a space. Undefined: braces, or those of the replaced version. */
  readonly delimiters: string | undefined;
  readonly folders: { readonly templates: string; readonly cases: string };
  readonly templates: readonly TemplateFile[];
  readonly cases: readonly TestCase[];
}

const folderName = z
  .string()
  .min(1)
  .refine(
    (path) => !path.split(/[\\/]/).includes('..') && !/^([a-z]:|[\\/])/i.test(path),
    'must be inside the project',
  );

/** The file also contains keys of other commands. */
const projectSchema = z.object({
  templates: folderName.default('templates'),
  cases: folderName.default('cases'),
  delimiters: z
    .string()
    .regex(/^\S+ +\S+$/, 'must be two delimiters with a space between them, such as "{{ }}"')
    .optional(),
  test: rulesSchema.default({}),
});

export const settingsFile = 'docmill.json';
const dataEnding = '.json';
const rulesEnding = '.rules.json';

/**
 * The templates and cases of a project folder: `docmill.json`, `templates/<template>.docx`,
 * `cases/<template>/<case>.json`, and next to it `<case>.rules.json` and the folder `<case>.expected`. `filter` keeps
 * the cases whose `<template>/<case>` contains it. Throws `ProjectError`.
 */
export async function readProject(folder: string, filter?: string): Promise<Project> {
  const root = resolve(folder);
  const settings = await readJson(join(root, settingsFile), projectSchema);
  if (settings === undefined)
    throw new ProjectError(`${join(root, settingsFile)} is missing. Create a project with "docmill init".`);
  const base = addRules(defaultRules, settings.test);
  const folders = { templates: join(root, settings.templates), cases: join(root, settings.cases) };
  const templates = await findTemplates(folders.templates);
  const cases: TestCase[] = [];
  for (const template of templates) cases.push(...(await findCases(folders.cases, template, base)));
  await refuseUnknownFolders(folders.cases, templates);
  const kept = cases.filter(({ template, name }) => `${template.name}/${name}`.includes(filter ?? ''));
  const isKept = (template: TemplateFile): boolean =>
    filter === undefined || kept.some((one) => one.template === template);
  return { delimiters: settings.delimiters, folders, templates: templates.filter(isKept), cases: kept };
}

/**
 * The template folder of a project, its file names, and the delimiters. Undefined if there is no `docmill.json`. Throws
 * `ProjectError`.
 */
export async function readTemplateFolder(
  root: string,
): Promise<
  { readonly folder: string; readonly files: readonly string[]; readonly delimiters: Project['delimiters'] } | undefined
> {
  const settings = await readJson(join(root, settingsFile), projectSchema);
  if (settings === undefined) return undefined;
  const folder = join(root, settings.templates);
  const files = ((await listFolder(folder)) ?? []).filter(isTemplateName);
  return { folder, files, delimiters: settings.delimiters };
}

async function findTemplates(folder: string): Promise<readonly TemplateFile[]> {
  const files = await listFolder(folder);
  if (files === undefined) throw new ProjectError(`The folder of templates ${folder} is missing.`);
  return files.filter(isTemplateName).map((file) => ({ name: basename(file, '.docx'), path: join(folder, file) }));
}

/** Word keeps a file `~$…` next to an open document. */
const isTemplateName = (file: string): boolean => file.endsWith('.docx') && !/^(~\$|\.)/.test(basename(file));

async function findCases(folder: string, template: TemplateFile, base: Rules): Promise<readonly TestCase[]> {
  const here = join(folder, template.name);
  const files = (await listFolder(here)) ?? [];
  const isData = (file: string): boolean =>
    file.endsWith(dataEnding) && !file.endsWith(rulesEnding) && !file.startsWith('.');
  const cases = files.filter(isData).map(async (file): Promise<TestCase> => {
    const name = basename(file, dataEnding);
    const given = (await readJson(join(here, `${name}${rulesEnding}`), rulesSchema)) ?? {};
    const goldenFolder = join(here, `${name}.expected`);
    return { template, name, dataPath: join(here, file), goldenFolder, rules: addRules(base, given) };
  });
  return Promise.all(cases);
}

/** Prevents a renamed template from silently losing its cases. */
async function refuseUnknownFolders(folder: string, templates: readonly TemplateFile[]): Promise<void> {
  const known = new Set(templates.map(({ name }) => name));
  for (const name of (await listFolder(folder)) ?? []) {
    const isFolder = (await lstat(join(folder, name))).isDirectory();
    if (isFolder && !known.has(name) && !name.startsWith('.'))
      throw new ProjectError(`${join(folder, name)} has cases of "${name}", but there is no ${name}.docx.`);
  }
}

async function listFolder(folder: string): Promise<readonly string[] | undefined> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function readJson<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema> | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ProjectError(`${path} is not valid JSON: ${(error as Error).message}.`);
  }
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw new ProjectError(`${path} is wrong.\n${z.prettifyError(error)}`);
  return data;
}
