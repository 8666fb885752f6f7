import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createLogger } from '../../src/shared/logger.ts';
import { openPackage } from '../../src/worker/docx/package/open-package.ts';
import { type OfficePool, startOfficePool } from '../../src/worker/pdf/office/office-pool.ts';
import { reportConformance } from './broken-rules.ts';
import { reportDirectLayout } from './direct-layout.ts';
import { docxWords, lostWords } from './docx-words.ts';
import { reportMutants } from './mutants.ts';
import { pdfText } from './pdf-text.ts';
import { prepareDocument } from './prepare-document.ts';

/**
 * Converts every .docx of a folder as the service does (sanitize, repair, refresh, convert) and reports words that the
 * PDF lacks.
 *
 *   node --import tsx bench/corpus/main.ts <folder> [--engine <LibreOffice folder>] [--known <tsv>] [--report <md>] [--conformance <n>] [--direct] [--kinds <tsv>] [--mutants <n>] [--seed <n>] [--keep <folder>]
 *
 * `--conformance` converts a sample of n files as PDF/A and PDF/UA instead, and reports the rules that fail. `--direct`
 * compares directly laid out pages with those of LibreOffice instead, and exits with 1 if any differ; `--kinds` names a
 * table of file, tab, kind of document (business-documents.tsv), and adds a report for each kind. `--mutants` compares
 * documents that are made from the files by random changes; `--keep` names a folder for those that differ. `--known`
 * names a table of file, tab, reason. Exits with 1 if a file without a known reason loses words or does not convert.
 */

interface Outcome {
  readonly file: string;
  /** `refused` means refused by the service, and `failed` means that the conversion failed. */
  readonly kind: 'complete' | 'lost' | 'refused' | 'failed';
  readonly detail: string;
  readonly warnings: readonly string[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string' },
    known: { type: 'string' },
    report: { type: 'string' },
    kinds: { type: 'string' },
    conformance: { type: 'string' },
    direct: { type: 'boolean', default: false },
    mutants: { type: 'string' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'string' },
  },
});
const [folder] = positionals;
if (folder === undefined)
  throw new Error('usage: bench/corpus/main.ts <folder> [--engine <folder>] [--known <tsv>] [--report <md>]');

const slots = 2;
const maxShown = 12;
const known = await readTable(values.known);
const tempDir = await mkdtemp(join(tmpdir(), 'docmill-corpus-'));
// If this runs as root, LibreOffice runs as another user.
await chmod(tempDir, 0o711);
const pool = await startOfficePool({
  slots,
  convertTimeoutMs: 240_000,
  startTimeoutMs: 240_000,
  recycleAfter: 200,
  memoryLimitBytes: 2 * 1024 ** 3,
  tempDir: join(tempDir, 'pools'),
  logger: createLogger('silent', 'corpus'),
  sofficePath: values.engine,
});
try {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.docx')).sort();
  if (values.mutants !== undefined) await reportMutated(pool, folder, files, Number(values.mutants));
  else if (values.direct) await reportDirect(pool, folder, files);
  else if (values.conformance === undefined) await reportWords(pool, folder, files);
  else await report(await reportConformance(pool, folder, sampleOf(files, Number(values.conformance)), slots));
} finally {
  await pool.close();
  await rm(tempDir, { recursive: true, force: true });
}

async function reportWords(office: OfficePool, from: string, files: readonly string[]): Promise<void> {
  const outcomes = await checkAll(office, from, files);
  await report(describe(outcomes));
  process.exitCode = outcomes.some(({ file, kind }) => kind !== 'complete' && !known.has(file)) ? 1 : 0;
}

async function reportDirect(office: OfficePool, from: string, files: readonly string[]): Promise<void> {
  const { text, isEqual } = await reportDirectLayout(office, from, files, {
    temporary: tempDir,
    kinds: await readTable(values.kinds),
  });
  await report(text);
  process.exitCode = isEqual ? 0 : 1;
}

async function reportMutated(office: OfficePool, from: string, files: readonly string[], count: number): Promise<void> {
  const range = { count, seed: Number(values.seed), keep: values.keep };
  const { text, isGood } = await reportMutants(office, from, files, { ...range, temporary: tempDir });
  await report(text);
  process.exitCode = isGood ? 0 : 1;
}

async function report(text: string): Promise<void> {
  if (values.report !== undefined) await writeFile(values.report, text);
  process.stdout.write(text);
}

/** Picks `count` evenly spaced files. */
function sampleOf(files: readonly string[], count: number): string[] {
  const step = Math.max(1, files.length / count);
  return files.filter((_file, i) => Math.floor(i / step) > Math.floor((i - 1) / step));
}

async function checkAll(office: OfficePool, from: string, files: readonly string[]): Promise<Outcome[]> {
  const waiting = [...files];
  const outcomes: Outcome[] = [];
  const work = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      outcomes.push(await check(office, file, await readFile(join(from, file))));
      process.stderr.write(`\r${outcomes.length} of ${files.length} `);
    }
  };
  await Promise.all(Array.from({ length: slots }, work));
  return outcomes.sort((a, b) => (a.file < b.file ? -1 : 1));
}

async function check(office: OfficePool, file: string, bytes: Uint8Array): Promise<Outcome> {
  let words: ReturnType<typeof docxWords>;
  let docx: Buffer;
  try {
    words = docxWords(openPackage(bytes));
    docx = prepareDocument(bytes);
  } catch (error) {
    return { file, kind: 'refused', detail: messageOf(error), warnings: [] };
  }
  try {
    const { pdf, warnings } = await office.convert({ docx, filename: file });
    const lost = lostWords(words, await pdfText(pdf));
    const shown = lost.slice(0, maxShown).join(', ');
    const detail = lost.length > maxShown ? `${shown} and ${lost.length - maxShown} more` : shown;
    const kind = lost.length === 0 ? 'complete' : 'lost';
    return { file, kind, detail, warnings: warnings.map(({ message }) => message) };
  } catch (error) {
    return { file, kind: 'failed', detail: messageOf(error), warnings: [] };
  }
}

function describe(outcomes: readonly Outcome[]): string {
  const count = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length;
  const engine = pool.status().engine;
  const head = [
    `${outcomes.length} files with ${engine?.name ?? 'LibreOffice'} ${engine?.version ?? ''}: ${count('complete')} complete,`,
    `${count('lost')} with lost words, ${count('refused')} refused, ${count('failed')} not converted.`,
  ].join(' ');
  const rows = outcomes
    .filter(({ kind }) => kind !== 'complete')
    .map(({ file, kind, detail }) => `| ${file} | ${kind} | ${cell(detail)} | ${cell(known.get(file) ?? '')} |`);
  const warned = outcomes
    .filter(({ warnings }) => warnings.length > 0)
    .map(({ file, warnings }) => `| ${file} | ${cell(warnings.join(' '))} |`);
  const table = (columns: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [
          '',
          `| ${columns} |`,
          `|${columns
            .split('|')
            .map(() => ' --- ')
            .join('|')}|`,
          ...lines,
        ];
  return [head, ...table('file | outcome | what | reason', rows), ...table('file | warnings', warned), ''].join('\n');
}

function cell(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replaceAll('|', '\\|');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function readTable(path: string | undefined): Promise<ReadonlyMap<string, string>> {
  if (path === undefined) return new Map();
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.includes('\t'));
  return new Map(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)]),
  );
}
