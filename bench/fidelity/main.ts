import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../src/shared/errors.ts';
import { describeMachine, projectFolder, readCommit, readVersions } from '../harness/machine.ts';
import { readOptions } from '../harness/options.ts';
import { median } from '../harness/statistics.ts';
import { withTemporaryFolder } from '../harness/temporary-folder.ts';
import { openContenders } from './contenders.ts';
import { readPages, type Score, scorePages } from './score-pages.ts';

/*
 * Scores the pages of documents against those that Word printed of them. The folder has one folder for each document, with
 * `input.docx` and Word's `reference.pdf`. Exits with 1 if a document whose words, lines or page ends differ in the service
 * has no cause in causes.tsv, or if one that is listed there no longer differs.
 */

const measures = ['text', 'lines', 'pages', 'pictures'] as const;
/** The minimum scores of a document without a listed cause. */
const full: Readonly<Record<keyof Score, number>> = { text: 0.99, lines: 0.95, pages: 1, pictures: 0.1 };

interface Result {
  readonly document: string;
  /** By contender: the score, or the reason why it did not convert the document. */
  readonly scores: Readonly<Record<string, Score | string>>;
}

const options = readOptions({ rounds: 1, quickRounds: 1, values: ['documents', 'only'] });
const documents = options.values.documents ?? process.env.FIDELITY_DOCUMENTS;
if (documents === undefined) {
  process.stderr.write('Name the folder of the documents: --documents <folder>, or FIDELITY_DOCUMENTS.\n');
  process.exit(2);
}
const only = options.values.only?.split(',');
const causes = new Map(
  (await readFile(join(import.meta.dirname, 'causes.tsv'), 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t') as [string, string]),
);

const results = await withTemporaryFolder(async (folder) => {
  // If this runs as root, LibreOffice runs as another user.
  await chmod(folder, 0o711);
  const files = await readDocuments(documents);
  const { convert, close } = await openContenders(files, folder);
  try {
    const found: Result[] = [];
    for (const [document, docx] of files) {
      const word = await readPages(await readFile(join(documents, document, 'reference.pdf')), folder);
      const scores: Record<string, Score | string> = {};
      for (const [contender, run] of Object.entries(convert))
        scores[contender] = await run(docx, document).then(
          async (pdf) => scorePages(word, await readPages(pdf, folder)),
          reasonOf,
        );
      found.push({ document, scores });
      process.stderr.write(`${document} `);
    }
    return found;
  } finally {
    await close();
  }
});

async function readDocuments(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const wanted = names.filter((name) => only?.includes(name) ?? true);
  const found = new Map<string, Buffer>();
  for (const name of wanted.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })))
    found.set(name, await readFile(join(folder, name, 'input.docx')));
  return found;
}

/** The reason why a document was not converted. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  const [detail] = error instanceof AppError ? (error.details ?? []) : [];
  return detail?.message ?? error.message.replace(/'\/.*'/, 'the PDF');
}

const differs = (score: Score | string | undefined): boolean =>
  typeof score !== 'object' || measures.some((measure) => score[measure] < full[measure]);

const percent = (share: number): string => String(Math.floor(share * 1_000) / 10);
const cells = (score: Score | string | undefined): string[] =>
  typeof score === 'object' ? measures.map((measure) => percent(score[measure])) : measures.map(() => '');

function describe(): string[] {
  const contenders = Object.keys(results[0]?.scores ?? {});
  const { model, cores } = describeMachine();
  const { hash } = readCommit();
  const { LibreOffice } = readVersions(['LibreOffice'], []);
  const medians = contenders.map((contender) => {
    const scored = results.flatMap(({ scores }) => {
      const score = scores[contender];
      return typeof score === 'object' ? [score] : [];
    });
    const shares = measures.map((measure) => percent(median(scored.map((score) => score[measure]))));
    const isEqual = scored.filter((score) => !differs(score)).length;
    return `| ${contender} | ${scored.length} | ${isEqual} | ${shares.join(' | ')} |`;
  });
  const rows = results.map(({ document, scores }) => {
    const all = contenders.flatMap((contender) => cells(scores[contender]));
    return `| ${document} | ${all.join(' | ')} | ${causes.get(document) ?? ''} |`;
  });
  const left = results.flatMap(({ document, scores }) =>
    typeof scores['direct layout'] === 'string' ? [`- ${document}: ${scores['direct layout']}`] : [],
  );
  const heads = contenders.flatMap((contender) => measures.map((measure) => `${contender}: ${measure}`));
  return [
    `# Pages beside those of Word`,
    '',
    `Commit ${hash}, ${new Date().toISOString().slice(0, 10)}, ${cores} cores of ${model}, LibreOffice ${LibreOffice}. Command: \`npm run bench -- fidelity --documents <folder> --save\`.`,
    '',
    'Scores are per cent of what Word printed: words in order, lines with the same words, pages that begin with the same',
    'words, and ink in the same place at 18 dpi. *Complete* documents have 99 % of the words, 95 % of the lines, all pages and',
    '10 % of the ink, which is little because a line that is half a line too low has none in common.',
    '',
    `| contender | documents | complete | ${measures.map((measure) => `median ${measure}`).join(' | ')} |`,
    `| --- |${' ---: |'.repeat(2 + measures.length)}`,
    ...medians,
    '',
    `| document | ${heads.join(' | ')} | cause |`,
    `| --- |${' ---: |'.repeat(heads.length)} --- |`,
    ...rows,
    ...(left.length === 0 ? [] : ['', 'Left to LibreOffice by direct layout:', '', ...left]),
  ];
}

const text = `${describe().join('\n')}\n`;
process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : text);
if (options.save) {
  const file = join(projectFolder, 'bench/results', `${new Date().toISOString().slice(0, 10)}-fidelity.md`);
  await writeFile(file, text);
}
const unexplained = results.filter(({ document, scores }) => differs(scores.service) !== causes.has(document));
if (unexplained.length > 0) {
  const names = unexplained.map(({ document }) => document).join(', ');
  process.stderr.write(`\nNo cause in causes.tsv, or a cause that no longer applies: ${names}\n`);
  process.exitCode = 1;
}
