import { createReport } from 'docx-templates';
import { describe, expect, test } from 'vitest';
import { docxTemplatesCases } from './docx-templates-cases.ts';
import { expectLeft, fill, guideTable, migrate, outcomeOf, readGuide, textOf } from './migration-case.ts';

describe('templates of docx-templates', () => {
  test.each(docxTemplatesCases.map((one) => [one.feature, one] as const))('%s', async (_, one) => {
    const { source, file, report } = migrate(one, 'docx-templates');
    expect(outcomeOf(report)).toBe(one.outcome);
    if (one.data === undefined) {
      expectLeft(file, report);
      return;
    }
    const data = structuredClone(one.data);
    expect(fill(file, one.data)).toBe(textOf(await createReport({ template: source, data })));
  });

  test('the guide lists them', () => {
    expect(readGuide('docx-templates')).toContain(guideTable(docxTemplatesCases, 'docx-templates', 'docx-templates'));
  });
});
