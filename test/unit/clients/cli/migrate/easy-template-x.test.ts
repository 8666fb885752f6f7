import { type TemplateData, TemplateHandler } from 'easy-template-x';
import { describe, expect, test } from 'vitest';
import { migrateTemplate } from '../../../../../clients/cli/src/migrate/migrate-template.ts';
import { openPackage } from '../../../../../src/worker/docx/package/open-package.ts';
import { buildDocx } from '../../../../support/documents/docx-builder.ts';
import { easyTemplateXCases } from './easy-template-x-cases.ts';
import { answerOf, expectLeft, fill, guideTable, migrate, outcomeOf, readGuide, textOf } from './migration-case.ts';

describe('templates of easy-template-x', () => {
  test.each(easyTemplateXCases.map((one) => [one.feature, one] as const))('%s', async (_, one) => {
    const { source, file, report } = migrate(one, 'easy-template-x');
    expect(outcomeOf(report)).toBe(one.outcome);
    if (one.data === undefined) {
      expectLeft(file, report);
      return;
    }
    const rendered = await new TemplateHandler().process(source, structuredClone(one.data) as TemplateData);
    const text = textOf(rendered);
    const printed = one.hasBlankLines === true ? text.replace(/^\n+|\n+$|\n(?=\n)/g, '') : text;
    expect(fill(file, one.data)).toBe(printed);
    if (answerOf(source) === undefined) expect(fill(source, one.data) === printed).toBe(one.isTaken !== false);
  });

  test('the alternative text of a placeholder picture', () => {
    const picture = (text: string) =>
      `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="p" descr="${text}"/><a:graphic><a:graphicData uri="x"><pic:pic/>` +
      '</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';
    const template = buildDocx({ body: picture('{My Photo}') + picture('A house') });
    const { file, report } = migrateTemplate(template, 'easy-template-x');
    const xml = openPackage(Buffer.from(file)).readText('word/document.xml') ?? '';
    expect(xml).toContain('descr="{%My Photo}"');
    expect(xml).toContain('descr="A house"');
    expect(report.rewritten).toBe(1);
  });

  test('the guide lists them', () => {
    expect(readGuide('easy-template-x')).toContain(
      guideTable(easyTemplateXCases, 'easy-template-x', 'easy-template-x', true),
    );
  });
});
