import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DirectConverter, openDirectConverter, UnknownFeature } from '@docmill/layout';
import { openPackage } from '../../src/worker/docx/package/open-package.ts';
import { Comparer } from '../../src/worker/pdf/compare/comparer.ts';
import { fontSettings } from '../../src/worker/pdf/office/font-settings.ts';
import type { OfficePool } from '../../src/worker/pdf/office/office-pool.ts';
import { prepareDocument } from './prepare-document.ts';

const maxNamedFiles = 6;

export interface Outcome {
  readonly file: string;
  /**
   * `left` means laid out by LibreOffice, `refused` means refused by the service, and `failed` means that an engine
   * failed.
   */
  readonly kind: 'equal' | 'differing' | 'left' | 'refused' | 'failed';
  readonly detail: string;
}

/** The kind of business document for each file: letter, invoice or form. Other files have no entry. */
export type DocumentKinds = ReadonlyMap<string, string>;

interface Report {
  readonly text: string;
  /** True if every directly laid out file has the same pages as LibreOffice's. */
  readonly isEqual: boolean;
}

/**
 * Lays files out without LibreOffice, compares the pages with LibreOffice's by text, fonts and pixels, and reports why
 * the other files are left to LibreOffice. `temporary` is a folder for font settings.
 */
export async function reportDirectLayout(
  office: OfficePool,
  folder: string,
  files: readonly string[],
  { temporary, kinds }: { readonly temporary: string; readonly kinds: DocumentKinds },
): Promise<Report> {
  const engines = await openEngines(office, temporary);
  const outcomes: Outcome[] = [];
  for (const file of files) {
    outcomes.push({ file, ...(await layOut(engines, await readFile(join(folder, file)))) });
    process.stderr.write(`\r${outcomes.length} of ${files.length} `);
  }
  await engines.comparer.close();
  const { name = 'LibreOffice', version = '' } = office.status().engine ?? {};
  const isEqual = outcomes.every(({ kind }) => kind !== 'differing' && kind !== 'failed');
  return { text: describe(outcomes, kinds, `${name} ${version}`), isEqual };
}

export interface Engines {
  readonly converter: DirectConverter;
  readonly office: OfficePool;
  readonly comparer: Comparer;
}

export async function openEngines(office: OfficePool, temporary: string): Promise<Engines> {
  const settings = join(temporary, 'fonts.conf');
  await writeFile(settings, fontSettings({ drawsPictureFonts: true }));
  return { converter: await openDirectConverter(settings), office, comparer: new Comparer() };
}

/** Lays a file out with both engines, and compares the pages. */
export async function layOut(
  { converter, office, comparer }: Engines,
  bytes: Uint8Array,
): Promise<Pick<Outcome, 'kind' | 'detail'>> {
  let docx: Buffer;
  try {
    docx = prepareDocument(bytes);
  } catch (error) {
    return { kind: 'refused', detail: messageOf(error) };
  }
  try {
    const { pdf } = converter.convert(openPackage(docx));
    const { differences } = await comparer.compare((await office.convert({ docx })).pdf, pdf);
    const [first] = differences;
    if (first === undefined) return { kind: 'equal', detail: '' };
    return { kind: 'differing', detail: `page ${first.page}, ${first.measure}: ${first.message}` };
  } catch (error) {
    return { kind: error instanceof UnknownFeature ? 'left' : 'failed', detail: messageOf(error) };
  }
}

function describe(outcomes: readonly Outcome[], documentKinds: DocumentKinds, engine: string): string {
  const of = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind);
  const [equal, differing, failed] = [of('equal'), of('differing'), of('failed')];
  const compared = equal.length + differing.length;
  const head = [
    `${outcomes.length} files, ${engine}: ${compared} are laid out directly, ${equal.length} of them equal and ${differing.length} differing;`,
    `${of('left').length} are left to LibreOffice, ${of('refused').length} are refused at upload, ${failed.length} fail.`,
  ].join(' ');
  const kinds = [...new Set(documentKinds.values())].map((kind) => describeKind(outcomes, documentKinds, kind));
  const wrong = [...differing, ...failed].map(({ file, kind, detail }) => `| ${file} | ${kind} | ${detail} |`);
  const left = of('left');
  const rows = [...new Set(left.map(({ detail }) => detail))]
    .map((reason) => ({ reason, files: left.filter(({ detail }) => detail === reason) }))
    .sort((a, b) => b.files.length - a.files.length)
    .map(({ reason, files }) => `| ${reason} | ${files.length} | ${namesOf(files)} |`);
  return [
    head,
    ...(kinds.length === 0 ? [] : ['', ...kinds]),
    ...(wrong.length === 0 ? [] : ['', '| file | outcome | where |', '| --- | --- | --- |', ...wrong]),
    ...['', '| reason for LibreOffice | files | examples |', '| --- | --- | --- |', ...rows, ''],
  ].join('\n');
}

/** The number of files of one kind that are laid out directly, and the reasons why others are not. */
function describeKind(outcomes: readonly Outcome[], documentKinds: DocumentKinds, kind: string): string {
  const files = outcomes.filter(({ file }) => documentKinds.get(file) === kind);
  const others = files
    .filter((one) => one.kind !== 'equal')
    .map(({ file, kind: what, detail }) => `${file} ${what}: ${detail}`);
  const served = `- ${kind}: ${files.length - others.length} of ${files.length} are laid out directly and equal`;
  return others.length === 0 ? `${served}.` : `${served}; ${others.join('; ')}.`;
}

const namesOf = (files: readonly Outcome[]): string =>
  files
    .slice(0, maxNamedFiles)
    .map(({ file }) => file)
    .join(', ');

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
