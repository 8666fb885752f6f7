import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migrateTemplate } from '../../../../../clients/cli/src/migrate/migrate-template.ts';
import type { EngineName, MigrationReport } from '../../../../../clients/cli/src/migrate/report.ts';
import { openWordFile } from '../../../../../clients/cli/src/migrate/word-file/open-word-file.ts';
import { readParagraphs } from '../../../../../clients/cli/src/migrate/word-file/paragraphs.ts';
import { AppError } from '../../../../../src/shared/errors.ts';
import { inspectTemplate } from '../../../../../src/worker/docx/inspect/inspect-template.ts';
import { prepareTemplate, renderTemplate } from '../../../../../src/worker/docx/render-template.ts';
import { buildDocx, type DocxInput, paragraph, table } from '../../../../support/documents/docx-builder.ts';

/** A feature of an engine, with data and a template that uses it. */
export interface MigrationCase {
  readonly feature: string;
  readonly outcome: 'works' | 'rewritten' | 'reported';
  /** A string becomes a paragraph for each of its lines. */
  readonly template: string | DocxInput;
  readonly data?: Readonly<Record<string, unknown>>;
  /** The data of the new template, if it has another structure. */
  readonly newData?: Readonly<Record<string, unknown>>;
  /** The engine leaves blank lines where section tags stand alone; Docmill leaves none. */
  readonly hasBlankLines?: true;
  /** False if the service accepts the template unchanged but prints something else. */
  readonly isTaken?: false;
  /** The expected text of the document, for an engine that the tests cannot run. */
  readonly prints?: string;
}

/** A table; each line is a row, with a bar between two cells. */
export const rows = (...lines: readonly string[]): DocxInput => ({
  body: table(lines.map((line) => line.split(' | '))),
});
/** The same table, followed by the paragraph `x`. */
export const rowsAndX = (...lines: readonly string[]): DocxInput => ({
  body: `${rows(...lines).body}${paragraph('x')}`,
});

type Extras = Pick<MigrationCase, 'newData' | 'hasBlankLines' | 'isTaken' | 'prints'>;

const filled =
  (outcome: 'works' | 'rewritten') =>
  (
    feature: string,
    template: MigrationCase['template'],
    data?: MigrationCase['data'],
    extras: Extras = {},
  ): MigrationCase => ({ feature, outcome, template, ...(data !== undefined && { data }), ...extras });

/** The template is also a valid Docmill template, unchanged. */
export const works = filled('works');
export const rewritten = filled('rewritten');
/** The user has to change this feature by hand. */
export const reported = (feature: string, template: MigrationCase['template']): MigrationCase => ({
  feature,
  outcome: 'reported',
  template,
});

const inputOf = ({ template }: MigrationCase): DocxInput =>
  typeof template === 'string'
    ? {
        body: template
          .split('\n')
          .map((line) => paragraph(line))
          .join(''),
      }
    : template;

/** The text of all parts, with a line for each paragraph. */
export function textOf(file: Uint8Array): string {
  return openWordFile(file)
    .parts.flatMap(({ document }) => readParagraphs(document).map(({ text }) => text))
    .join('\n');
}

/** The text of the document that Docmill produces. Throws when Docmill rejects the template or the data. */
export function fill(template: Uint8Array, data: unknown): string {
  return textOf(renderTemplate(prepareTemplate(template, 'docx'), Buffer.from(JSON.stringify(data))).file);
}

export function migrate(one: MigrationCase, engine: EngineName) {
  const source = buildDocx(inputOf(one));
  return { source, ...migrateTemplate(source, engine) };
}

const outcomeOf = ({ left, rewritten }: MigrationReport): MigrationCase['outcome'] =>
  left > 0 ? 'reported' : rewritten > 0 ? 'rewritten' : 'works';

/** Formats text as Markdown code. The text may contain backticks. */
const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

/** The error that an upload of the unchanged template gets for its first rejected tag, or undefined. */
function answerOf(template: Uint8Array): string | undefined {
  try {
    inspectTemplate(template);
    return undefined;
  } catch (error) {
    const [first] = error instanceof AppError ? (error.details ?? []) : [];
    if (first?.type !== 'Message') throw error;
    return first.hint ?? first.message;
  }
}

const unlike = 'accepted, with another result';

/** The column of the guide's table that says what an upload of the unchanged template does. */
function uploaded(one: MigrationCase): string {
  const source = buildDocx(inputOf(one));
  const answer = answerOf(source);
  if (answer !== undefined) return `rejected: ${answer.replaceAll('|', '\\|')}`;
  return one.data !== undefined && one.isTaken !== false ? 'the same' : unlike;
}

/**
 * The table of the guide: each case in both languages, and with `isUploadable` what the service does with the unchanged
 * template.
 */
function guideTable({ engine, name, cases, isUploadable = false }: EngineTests): string {
  const cell = (text: string): string =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => code(line.replaceAll('|', '\\|').replaceAll('\t', ' ')))
      .join('<br>');
  const rows = cases.map((one) => {
    const { source, file, report } = migrate(one, engine);
    const outcome = outcomeOf(report);
    const result =
      outcome === 'reported'
        ? (report.findings.find(({ status }) => status === 'left')?.reason.replaceAll('|', '\\|') ?? '')
        : cell(textOf(file));
    const last = isUploadable ? ` ${uploaded(one)} |` : '';
    return `| ${one.feature} | ${cell(textOf(Buffer.from(source)))} | ${result} | ${outcome} |${last}`;
  });
  const [title, line] = isUploadable ? [' uploaded as it is |', ' --- |'] : ['', ''];
  return [`| feature | ${name} | Docmill | |${title}`, `| --- | --- | --- | --- |${line}`, ...rows].join('\n');
}

export const readGuide = (engine: EngineName): string =>
  readFileSync(resolve(import.meta.dirname, `../../../../../docs/guides/migrate-from-${engine}.md`), 'utf8');

/** Tags that the migration reports are unchanged in the new file. */
function expectLeft(file: Uint8Array, { findings }: MigrationReport): void {
  const left = findings.filter(({ status }) => status === 'left');
  expect(left.length).toBeGreaterThan(0);
  for (const { tag } of left) expect(textOf(file)).toContain(tag);
}

export interface EngineTests {
  readonly engine: EngineName;
  /** The name that the guide uses. */
  readonly name: string;
  readonly cases: readonly MigrationCase[];
  /** Renders a template with the engine itself. Undefined if the tests cannot run it and the cases state the output. */
  readonly render?: (template: Buffer, data: Record<string, unknown>, feature: string) => unknown;
  /** True if its templates may be uploaded without the command. */
  readonly isUploadable?: boolean;
}

/** Each case prints the same in Docmill as in the engine, and is a row of the guide. */
export function testMigrations(tests: EngineTests): void {
  const { engine, name, cases, render, isUploadable = false } = tests;
  describe(`templates of ${name}`, () => {
    test.each(cases.map((one) => [one.feature, one] as const))('%s', async (feature, one) => {
      const { source, file, report } = migrate(one, engine);
      expect(outcomeOf(report)).toBe(one.outcome);
      if (one.outcome === 'reported') return expectLeft(file, report);
      const data = one.newData ?? one.data ?? {};
      const printed = one.prints ?? textOf((await render?.(source, structuredClone(data), feature)) as Uint8Array);
      const lines = one.hasBlankLines === true ? printed.replace(/^\n+|\n+$|\n(?=\n)/g, '') : printed;
      expect(fill(file, data)).toBe(lines);
      if (isUploadable && answerOf(source) === undefined)
        expect(fill(source, data) === lines).toBe(one.isTaken !== false);
    });

    test('the guide lists them', () => expect(readGuide(engine)).toContain(guideTable(tests)));
  });
}
