import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { AppError } from '../../src/shared/errors.ts';
import { inspectTemplate } from '../../src/worker/docx/inspect/inspect-template.ts';
import { openPackage } from '../../src/worker/docx/package/open-package.ts';
import { writePackage } from '../../src/worker/docx/package/write-package.ts';

/**
 * Inspects every .docx of a folder as an upload does, and reports refusals, detected tags and warnings, for a review.
 * Each file gets a tag that prints nothing, so that valid documents are inspected to the end.
 *
 *   node --import tsx bench/corpus/uploads.ts <folder> [--report <md>]
 *
 * Exits with 1 if a file fails with anything but a refusal.
 */

interface Outcome {
  readonly file: string;
  readonly kind: 'accepted' | 'refused' | 'failed';
  /** The reason for the refusal. */
  readonly detail: string;
  readonly tags: readonly string[];
  readonly warnings: readonly {
    readonly code: string;
    readonly message: string;
    readonly context?: string | undefined;
  }[];
  readonly durationMs: number;
}

const maxTags = 40;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { report: { type: 'string' } } });
const [folder] = positionals;
if (folder === undefined) throw new Error('usage: bench/corpus/uploads.ts <folder> [--report <md>]');

const files = (await readdir(folder)).filter((name) => name.endsWith('.docx')).sort();
const outcomes: Outcome[] = [];
for (const file of files) outcomes.push(inspect(file, await readFile(join(folder, file))));
const text = describe(outcomes);
if (values.report !== undefined) await writeFile(values.report, text);
process.stdout.write(text);
process.exitCode = outcomes.some(({ kind }) => kind === 'failed') ? 1 : 0;

function inspect(file: string, bytes: Uint8Array): Outcome {
  const startMs = performance.now();
  const outcome = (rest: Pick<Outcome, 'kind'> & Partial<Outcome>): Outcome => ({
    file,
    detail: '',
    tags: [],
    warnings: [],
    durationMs: performance.now() - startMs,
    ...rest,
  });
  try {
    const { tags, warnings } = inspectTemplate(withTag(bytes));
    return outcome({ kind: 'accepted', tags, warnings });
  } catch (error) {
    if (!(error instanceof AppError)) return outcome({ kind: 'failed', detail: String(error) });
    const details = (error.details ?? []).map((detail) =>
      'tag' in detail ? [detail.tag, detail.message, detail.context].filter(Boolean).join(' · ') : detail.message,
    );
    return outcome({ kind: 'refused', detail: [error.message, ...details].join('\n') });
  }
}

/** The file with `{""}` at the start of its body. */
function withTag(bytes: Uint8Array): Uint8Array {
  const source = openPackage(bytes);
  const xml = source.readText(source.mainPart) ?? '';
  const tagged = xml.replace(/<w:body(?:\s[^>]*)?>/, '$&<w:p><w:r><w:t>{""}</w:t></w:r></w:p>');
  return writePackage(source, new Map([[source.mainPart, Buffer.from(tagged)]]));
}

function describe(all: readonly Outcome[]): string {
  const of = (kind: Outcome['kind']) => all.filter((outcome) => outcome.kind === kind);
  const accepted = of('accepted');
  const tagged = accepted.filter(({ tags }) => tags.length > 0);
  const slowest = Math.max(...all.map(({ durationMs }) => durationMs));
  const byCode = new Map<string, string[]>();
  for (const { file, warnings } of accepted)
    for (const { code } of warnings) byCode.set(code, [...(byCode.get(code) ?? []), file]);
  return [
    `${all.length} files: ${accepted.length} accepted, ${tagged.length} of them with tags; ${of('refused').length} refused, ${of('failed').length} failed. The slowest took ${Math.round(slowest)} ms.`,
    ...table(
      ['file', 'outcome', 'why'],
      [...of('refused'), ...of('failed')].map(({ file, kind, detail }) => [file, kind, detail]),
    ),
    ...table(
      ['file', 'tags'],
      tagged.map(({ file, tags }) => [
        file,
        tags.length > maxTags
          ? `${tags.slice(0, maxTags).join(', ')} and ${tags.length - maxTags} more`
          : tags.join(', '),
      ]),
    ),
    ...table(
      ['warning', 'files', 'warnings'],
      [...byCode].sort().map(([code, found]) => [code, String(new Set(found).size), String(found.length)]),
    ),
    ...table(
      ['file', 'warning', 'message'],
      accepted.flatMap(({ file, warnings }) =>
        warnings.map(({ code, message, context }) => [
          file,
          code,
          context === undefined ? message : `${message} (${context})`,
        ]),
      ),
    ),
    '',
  ].join('\n');
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return ['', line(columns), line(columns.map(() => '---')), ...rows.map(line)];
}

function cell(text: string): string {
  return text.replace(/[\r\n]+/g, '; ').replaceAll('|', '\\|');
}
