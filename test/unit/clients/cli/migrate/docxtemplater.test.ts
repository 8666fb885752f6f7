import { createRequire } from 'node:module';
import Docxtemplater from 'docxtemplater';
import PizZip from 'pizzip';
import { describe, expect, test } from 'vitest';
import { docxtemplaterCases } from './docxtemplater-cases.ts';
import { answerOf, expectLeft, fill, guideTable, migrate, outcomeOf, readGuide, textOf } from './migration-case.ts';

// Its declared types are those of another module system.
const { configure } = createRequire(import.meta.url)('docxtemplater/expressions.js') as {
  readonly configure: (options: object) => (tag: string) => { get(scope: unknown): unknown };
};
const parser = configure({
  filters: {
    upper: (text: string) => text.toUpperCase(),
    uppercase: (text: string) => text.toUpperCase(),
    sortBy: (list: readonly Record<string, number>[], key: string) =>
      list.toSorted((a, b) => (a[key] ?? 0) - (b[key] ?? 0)),
  },
});

/** What docxtemplater itself prints. Names with blanks need its default parser. */
function renderByEngine(template: Buffer, data: unknown, isExpression: boolean): string {
  const options = { paragraphLoop: true, linebreaks: true, ...(isExpression && { parser }) };
  const document = new Docxtemplater(new PizZip(template), options);
  document.render(data);
  return textOf(document.getZip().generate({ type: 'nodebuffer' }));
}

describe('templates of docxtemplater', () => {
  test.each(docxtemplaterCases.map((one) => [one.feature, one] as const))('%s', (feature, one) => {
    const { source, file, report } = migrate(one, 'docxtemplater');
    expect(outcomeOf(report)).toBe(one.outcome);
    if (one.data === undefined) {
      expectLeft(file, report);
      return;
    }
    const printed = renderByEngine(source, one.data, feature !== 'name with blanks');
    expect(fill(file, one.data)).toBe(printed);
    if (answerOf(source) === undefined) expect(fill(source, one.data) === printed).toBe(one.isTaken !== false);
  });

  test('the guide lists them', () => {
    expect(readGuide('docxtemplater')).toContain(
      guideTable(docxtemplaterCases, 'docxtemplater', 'docxtemplater', true),
    );
  });
});
