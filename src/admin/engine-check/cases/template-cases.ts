import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../../shared/db/client.ts';
import { findDictionary } from '../../../shared/domain/dictionaries/find-dictionary.ts';
import { findGoldenData, type GoldenData, storeGoldenData } from '../../../shared/domain/templates/golden-data.ts';
import {
  findLatestRows,
  type LiveTemplate,
  listLiveTemplates,
  type RowData,
} from '../../../shared/domain/templates/live-templates.ts';
import type { ObjectStore } from '../../../shared/storage/objects.ts';
import { earlierSyntax } from '../../../shared/template-syntax.ts';
import type { AssetLoader } from '../../../worker/documents/load-assets.ts';
import { currentIncludesLoader } from '../../../worker/documents/load-includes.ts';
import { toWordBytes } from '../../../worker/documents/load-words.ts';
import type { TemplateCache } from '../../../worker/documents/template-cache.ts';
import { UsageError } from '../../parse-command.ts';
import { type Case, toCaseId } from './case.ts';

export interface TemplateCaseOptions {
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly loadAssets: AssetLoader;
  readonly templates: TemplateCache;
  /** `<templateId>.json`, or a folder `<templateId>` with any number of .json files. */
  readonly goldenFolder: string | undefined;
  /** Stores the data of that folder in the database for later checks. */
  readonly storesGolden: boolean;
  /** Uses rows of a stored batch of each template, if it has one. */
  readonly usesRealData: boolean;
}

const pageSize = 500;
const realRows = 3;
const maxGoldenFiles = 20;
const maxGoldenBytes = 4 * 1024 * 1024;

/**
 * Finds the current version of every live template, with its golden data or else example data, and additionally with
 * real data where that is allowed.
 */
export async function findTemplateCases(options: TemplateCaseOptions): Promise<readonly Case[]> {
  const cases: Case[] = [];
  let after = '';
  for (;;) {
    const page = await listLiveTemplates(options.db, { after, limit: pageSize });
    for (const template of page) cases.push(...(await casesOf(options, template)));
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return cases;
    after = last.id;
  }
}

async function casesOf(options: TemplateCaseOptions, template: LiveTemplate): Promise<readonly Case[]> {
  const { db, objects, usesRealData } = options;
  const stored = await findGoldenData(db, template.id);
  const given = await readGoldenFiles(options, template.id);
  const golden = [...stored.filter(({ name }) => !given.some((one) => one.name === name)), ...given];
  const rows = usesRealData ? await findLatestRows(db, template.id, realRows) : [];
  const named = golden.map(({ name, data }) => toCase(options, template, name, async () => data));
  const real = rows.map((row) => toCase(options, template, `row ${row.row}`, () => readRow(objects, row)));
  const withData = [...named, ...real];
  return withData.length > 0 ? withData : [toCase(options, template, undefined, async () => undefined)];
}

function toCase(
  { db, objects, templates, loadAssets }: TemplateCaseOptions,
  { id, name, version, accountId, objectKey, checksum, syntax }: LiveTemplate,
  dataName: string | undefined,
  readData: () => Promise<Uint8Array | undefined>,
): Case {
  const suffix = dataName === undefined ? '' : `, ${dataName}`;
  return {
    id: toCaseId(dataName === undefined ? id : `${id}.${dataName}`),
    title: `${name} v${version} (${id})${suffix}`,
    templateId: id,
    ruleNames: [id],
    async load() {
      const [template, dictionary] = await Promise.all([
        objects.get(objectKey, checksum),
        findDictionary(db, accountId),
      ]);
      if (template === undefined) throw new Error(`The file of template ${id} is missing from the object store`);
      return {
        template,
        syntax: syntax ?? earlierSyntax,
        data: await readData(),
        accountId,
        loadAssets: (names) => loadAssets(accountId, names),
        loadIncludes: currentIncludesLoader({ db, templates }, accountId),
        accountWords: dictionary && toWordBytes(dictionary.words),
      };
    },
  };
}

async function readRow(objects: ObjectStore, { inputKey, dataOffset, dataBytes }: RowData): Promise<Uint8Array> {
  const data = await objects.getRange(inputKey, dataOffset, dataBytes);
  if (data === undefined) throw new Error('The data of the batch is no longer stored');
  return data;
}

async function readGoldenFiles(
  { db, goldenFolder, storesGolden }: TemplateCaseOptions,
  templateId: string,
): Promise<readonly GoldenData[]> {
  if (goldenFolder === undefined) return [];
  const single = join(goldenFolder, `${templateId}.json`);
  const folder = join(goldenFolder, templateId);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  if (names.length > maxGoldenFiles) throw new UsageError(`${folder} has more than ${maxGoldenFiles} files`);
  const paths = [['golden', single] as const, ...names.map((name) => [name.slice(0, -5), join(folder, name)] as const)];
  const found: GoldenData[] = [];
  for (const [name, path] of paths) {
    const data = await readFile(path).catch(() => undefined);
    if (data === undefined) continue;
    requireData(path, data);
    found.push({ name, data });
    if (storesGolden) await storeGoldenData(db, templateId, { name, data });
  }
  return found;
}

function requireData(path: string, data: Buffer): void {
  if (data.length > maxGoldenBytes) throw new UsageError(`${path} is larger than ${maxGoldenBytes / 1024 ** 2} MB`);
  try {
    JSON.parse(data.toString('utf8'));
  } catch {
    throw new UsageError(`${path} is not valid JSON`);
  }
}
