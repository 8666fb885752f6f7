import { expect, test } from 'vitest';
import { migrateTemplate } from '../../../../../clients/cli/src/migrate/migrate-template.ts';
import type { EngineName } from '../../../../../clients/cli/src/migrate/report.ts';
import { inspectTemplate } from '../../../../../src/worker/docx/inspect/inspect-template.ts';
import { buildDocx, paragraph, table } from '../../../../support/documents/docx-builder.ts';
import { textOf } from './migration-case.ts';

/** Fields of Word have no tags that could be wrong. */
type Engine = Exclude<EngineName, 'word'>;

/** The tags of two sections of an engine: the first begins and ends, then the second. */
const tags: Readonly<Record<Engine, readonly [string, string, string, string]>> = {
  docxtemplater: ['{#a}', '{/a}', '{#b}', '{/b}'],
  'easy-template-x': ['{#a}', '{/a}', '{#b}', '{/b}'],
  'docx-templates': ['+++IF a+++', '+++END-IF+++', '+++IF b+++', '+++END-IF+++'],
  carbone: ['{d.a:ifEQ(1):showBegin}', '{d.a:showEnd}', '{d.b:ifEQ(1):hideBegin}', '{d.b:hideEnd}'],
};
const engines = Object.keys(tags) as Engine[];
const migrate = (engine: Engine, body: string) => migrateTemplate(buildDocx({ body }), engine);

test.each(engines)('%s: a section that an upload would reject is reported', (engine) => {
  const [open, close, other, otherClose] = tags[engine];
  for (const [body, reason] of [
    [paragraph(`${open}x`), /not closed|no end/],
    [paragraph(`x${close}`), /closes no section|ends nothing/i],
    [paragraph(`${open}${other}x${otherClose}`), /not closed|no end/],
    [table([[`${open}x`, 'y']]) + paragraph(close), /inside a table and the other one outside/],
    [paragraph(open) + table([['x', `y${close}`]]), /inside a table and the other one outside/],
  ] as const) {
    const { report, file } = migrate(engine, body);
    const reasons = report.findings.map((finding) => finding.reason);
    expect(reasons, textOf(file)).toContainEqual(expect.stringMatching(reason));
    expect(report.left).toBeGreaterThan(0);
  }
});

test.each(['docxtemplater', 'easy-template-x', 'carbone'] as const)(
  '%s: sections that overlap in a row are reported, those that nest are not',
  (engine) => {
    const [open, close, other, otherClose] = tags[engine];
    const overlapping = migrate(
      engine,
      table([
        [`${open}x`, `y${close}${other}`, `z${otherClose}`],
        ['', '', ''],
      ]),
    );
    expect(overlapping.report.findings.map(({ reason }) => reason)).toContainEqual(
      expect.stringContaining('overlaps another section of the same table row'),
    );
    const nested = migrate(
      engine,
      table([
        [`${open}x`, `${other}y`],
        [`z${otherClose}`, `q${close}`],
      ]),
    );
    expect(nested.report.left).toBe(0);
    expect(() => inspectTemplate(nested.file)).not.toThrow();
  },
);

test.each([
  ['docxtemplater', '{#a}x{/b}'],
  ['docxtemplater', '{#a}{#b}x{/a}{/b}'],
  ['docxtemplater', '{-w:p a}x{/b}'],
  ['docx-templates', '+++FOR a IN list+++x+++END-FOR b+++'],
] as const)('%s: %s is reported, because the names of the section differ', (engine, text) => {
  const { report, file } = migrate(engine, paragraph(text));
  expect(report.findings.map(({ reason }) => reason)).toContainEqual(expect.stringContaining('their names differ'));
  expect(textOf(file)).toBe(text);
});
