import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfficePool } from '../../src/worker/pdf/office/office-pool.ts';
import { type Mutant, mutateDocx } from '../../test/support/documents/mutate/mutate-docx.ts';
import { createRandom } from '../../tools/fuzz/random.ts';
import { layOut, type Outcome, openEngines } from './direct-layout.ts';

interface Range {
  readonly count: number;
  /** The seed of the first mutant. Each further mutant has the next number. */
  readonly seed: number;
  /** A folder for the mutants that differ. */
  readonly keep: string | undefined;
  /** A folder for font settings. */
  readonly temporary: string;
}

interface Judged extends Outcome {
  readonly changes: readonly string[];
}

/**
 * Changes the files of a folder at random, partly with properties of the other files, lays them out with both engines
 * and compares the pages. A mutant is identified by its seed and file, and is the same in each run.
 */
export async function reportMutants(
  office: OfficePool,
  folder: string,
  files: readonly string[],
  { count, seed, keep, temporary }: Range,
): Promise<{ readonly text: string; readonly isGood: boolean }> {
  const engines = await openEngines(office, temporary);
  const sources = await Promise.all(files.map((file) => readFile(join(folder, file))));
  if (keep !== undefined) await mkdir(keep, { recursive: true });
  const judged: Judged[] = [];
  for (let made = seed; made < seed + count; made++) {
    const random = createRandom(made);
    const index = random.below(sources.length);
    const [base, donor] = [sources[index], sources[random.below(sources.length)]];
    if (base === undefined || donor === undefined) break;
    const mutant = mutate(base, donor, made);
    if (mutant === undefined) continue;
    const file = `${made}-${files[index]}`;
    const outcome = await layOut(engines, mutant.docx);
    if (outcome.kind === 'differing' && keep !== undefined) await writeFile(join(keep, file), mutant.docx);
    judged.push({ file, changes: mutant.changes, ...outcome });
    process.stderr.write(`\r${judged.length} of ${count}, ${judged.filter(isWrong).length} differ `);
  }
  await engines.comparer.close();
  const { name = 'LibreOffice', version = '' } = office.status().engine ?? {};
  return { text: describe(judged, files.length, `${name} ${version}`), isGood: isGood(judged) };
}

const isWrong = ({ kind }: Outcome): boolean => kind === 'differing' || kind === 'failed';

/** One of 500 mutants that are laid out directly may differ. */
const mostDiffering = 1 / 500;

function isGood(judged: readonly Judged[]): boolean {
  const laidOut = judged.filter(({ kind }) => kind === 'equal' || kind === 'differing').length;
  return judged.filter(isWrong).length <= laidOut * mostDiffering;
}

/** Undefined if the file cannot be opened or has nothing to change. */
function mutate(base: Uint8Array, donor: Uint8Array, seed: number): Mutant | undefined {
  try {
    return mutateDocx(base, donor, seed);
  } catch {
    return undefined;
  }
}

function describe(judged: readonly Judged[], files: number, engine: string): string {
  const of = (kind: Outcome['kind'], among = judged) => among.filter((one) => one.kind === kind).length;
  const names = [...new Set(judged.flatMap(({ changes }) => changes))].sort();
  const rows = names.map((name) => {
    const among = judged.filter(({ changes }) => changes.includes(name));
    const laidOut = of('equal', among) + of('differing', among);
    return `| ${name} | ${among.length} | ${laidOut} | ${of('differing', among)} |`;
  });
  const wrong = judged
    .filter(isWrong)
    .map(({ file, kind, detail, changes }) => `| ${file} | ${kind} | ${detail} | ${changes.join(', ')} |`);
  return [
    `${judged.length} mutants of ${files} files, ${engine}: ${of('equal') + of('differing')} are laid out directly,`,
    `${of('equal')} of them equal and ${of('differing')} differing; ${of('left')} are left to LibreOffice,`,
    `${of('refused')} are refused at upload, ${of('failed')} fail.`,
    ...['', '| change | mutants | laid out directly | differing |', '| --- | --- | --- | --- |', ...rows],
    ...(wrong.length === 0
      ? []
      : ['', '| mutant | outcome | where | changes |', '| --- | --- | --- | --- |', ...wrong]),
    '',
  ].join('\n');
}
