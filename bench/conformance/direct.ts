import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDirectConverter, type Standards, UnknownFeature } from '@docmill/layout';
import { openPackage } from '../../src/worker/docx/package/open-package.ts';
import { checkPdf } from '../../src/worker/pdf/conformance/check-pdf.ts';
import { type ConformanceFailure, requestedStandards } from '../../src/worker/pdf/conformance/standards.ts';
import { fontSettings } from '../../src/worker/pdf/office/font-settings.ts';
import { prepareDocument } from '../corpus/prepare-document.ts';

/**
 * `node --import tsx bench/conformance/direct.ts <folder>` lays out every .docx of a folder without LibreOffice, plain
 * and with each standard, checks the files, and prints the rules that fail. Also measures the CPU time of the layout,
 * and of the check that follows in the service, alternately in the same run.
 */
const accessible = { title: 'document' };
const requests: Readonly<Record<string, Standards>> = {
  plain: {},
  'PDF/A-2b': { archive: 'PDF/A-2b' },
  'PDF/A-2u': { archive: 'PDF/A-2u' },
  'PDF/A-3b': { archive: 'PDF/A-3b' },
  'PDF/UA-1': { accessible },
  'PDF/A-2u and PDF/UA-1': { archive: 'PDF/A-2u', accessible },
};
const rounds = Object.keys(requests).length;

const [, , folder] = process.argv;
if (folder === undefined) throw new Error('Give the folder of the .docx files.');
const temporary = mkdtempSync(join(tmpdir(), 'docmill-conformance-'));
const settings = join(temporary, 'fonts.conf');
writeFileSync(settings, fontSettings({ drawsPictureFonts: true }));
const converter = await openDirectConverter(settings);
const milliseconds = new Map<string, number>();
const failures = new Map<string, readonly string[]>();
let laidOut = 0;
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.docx'))
  .sort();
for (const [index, file] of files.entries()) {
  process.stderr.write(`\r${index + 1} of ${files.length} `);
  const docx = prepare(readFileSync(join(folder, file)));
  if (docx === undefined) continue;
  laidOut++;
  for (let round = 0; round < rounds; round++)
    for (const name of rotated(Object.keys(requests), round)) await measure(name, () => convert(name, docx));
  for (const name of Object.keys(requests))
    for (const { rule, place, count } of await brokenRules(name, convert(name, docx)))
      note(`${name}: \`${rule}\``, `${file} (${place}, ${count})`);
}
rmSync(temporary, { recursive: true });

const plain = milliseconds.get('plain') ?? 0;
const lines = [
  `${laidOut} of ${files.length} files are laid out directly.`,
  '',
  '| file | layout, ms of processor time a document | times plain | check, ms |',
  '| --- | --- | --- | --- |',
  ...Object.keys(requests).map((name) => {
    const time = milliseconds.get(name) ?? 0;
    const check = (milliseconds.get(checkOf(name)) ?? 0) / laidOut;
    return `| ${name} | ${(time / laidOut / rounds).toFixed(2)} | ${(time / plain).toFixed(2)} | ${check.toFixed(2)} |`;
  }),
  '',
  '| rule | files | which |',
  '| --- | --- | --- |',
  ...[...failures].map(([rule, of]) => `| ${rule} | ${of.length} | ${of.join(', ')} |`),
];
process.stdout.write(`${lines.join('\n')}\n`);

/** Prepares the file for layout as the service does. Undefined if it is refused, or only LibreOffice can lay it out. */
function prepare(bytes: Uint8Array): Buffer | undefined {
  try {
    const docx = prepareDocument(bytes);
    converter.convert(openPackage(docx));
    return docx;
  } catch (error) {
    if (error instanceof UnknownFeature || (error instanceof Error && error.name === 'AppError')) return undefined;
    throw error;
  }
}

/** Changes the order in each round, so that no kind of file always comes first after a garbage collection. */
function rotated(names: readonly string[], by: number): readonly string[] {
  return [...names.slice(by), ...names.slice(0, by)];
}

function convert(name: string, docx: Buffer): Uint8Array {
  return converter.convert(openPackage(docx), { standards: requests[name] }).pdf;
}

async function measure<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const done = await work();
  const { user, system } = process.cpuUsage(before);
  milliseconds.set(name, (milliseconds.get(name) ?? 0) + (user + system) / 1000);
  return done;
}

function checkOf(name: string): string {
  return `check of ${name}`;
}

async function brokenRules(name: string, pdf: Uint8Array): Promise<readonly ConformanceFailure[]> {
  const { archive, accessible: tagged } = requests[name] ?? {};
  const standards = requestedStandards({ archive, accessible: tagged !== undefined });
  if (standards.length === 0) return [];
  const report = await measure(checkOf(name), () => checkPdf(pdf, standards));
  return report.standards.flatMap((one) => one.failures);
}

function note(rule: string, file: string): void {
  failures.set(rule, [...(failures.get(rule) ?? []), file]);
}
