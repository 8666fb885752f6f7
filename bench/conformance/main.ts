import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { checkPdf } from '../../src/worker/pdf/conformance/check-pdf.ts';
import type { Standard } from '../../src/worker/pdf/conformance/standards.ts';

/**
 * `node --import tsx bench/conformance/main.ts <folder>` checks the checker: the files of the veraPDF corpus have
 * `-pass-` or `-fail-` in their names, and are in folders named after a standard and its clauses. Prints a table by
 * clause, then the files with the wrong verdict. Exits with 1 unless 99 % of the conforming files pass and 98 % of the
 * others fail.
 */
const standards: Readonly<Record<string, Standard>> = {
  'PDF_A-2b': 'PDF/A-2b',
  'PDF_A-3b': 'PDF/A-3b',
  'PDF_UA-1': 'PDF/UA-1',
};
const [leastPassing, leastFailing] = [0.99, 0.98];

interface Verdict {
  readonly file: string;
  readonly clause: string;
  readonly isConforming: boolean;
  readonly passed: boolean;
  readonly rules: readonly string[];
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('Give the folder of the files, with a folder for each standard.');
const verdicts: Verdict[] = [];
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  const file = relative(folder, path);
  const [name = '', ...clauses] = file.split(sep);
  const standard = standards[name];
  if (standard === undefined || !entry.isFile() || !entry.name.endsWith('.pdf')) continue;
  const { passed, standards: reports } = await checkPdf(readFileSync(path), [standard]);
  const rules = reports.flatMap(({ failures }) => failures.map(({ rule }) => rule));
  const clause = `${standard}, ${clauses.at(-2) ?? ''}`;
  verdicts.push({ file, clause, isConforming: entry.name.includes('-pass-'), passed, rules });
}

const rowOf = (name: string, of: readonly Verdict[]): string => {
  const cell = (isConforming: boolean): string => {
    const all = of.filter((verdict) => verdict.isConforming === isConforming);
    const right = all.filter(({ passed }) => passed === isConforming).length;
    return all.length === 0 ? '' : `${right} of ${all.length}`;
  };
  return `| ${name} | ${cell(true)} | ${cell(false)} |`;
};
const shareRight = (isConforming: boolean): number => {
  const all = verdicts.filter((verdict) => verdict.isConforming === isConforming);
  return all.filter(({ passed }) => passed === isConforming).length / all.length;
};
const clauses = [...new Set(verdicts.map(({ clause }) => clause))].sort();
const lines = [
  '| clause | conforming files that pass | other files that fail |',
  '| --- | --- | --- |',
  ...clauses.map((clause) =>
    rowOf(
      clause,
      verdicts.filter((verdict) => verdict.clause === clause),
    ),
  ),
  rowOf('all', verdicts),
  '',
  ...verdicts
    .filter(({ passed, isConforming }) => passed !== isConforming)
    .map(({ file, passed, rules }) => `- ${file}: ${passed ? 'passes' : rules.join(', ')}`),
];
process.stdout.write(`${lines.join('\n')}\n`);
if (!(shareRight(true) >= leastPassing && shareRight(false) >= leastFailing)) process.exitCode = 1;
