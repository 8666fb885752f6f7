import { describe, expect, it } from 'vitest';
import { inspectTemplate } from '../../../../src/worker/docx/inspect/inspect-template.ts';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { buildDocx, paragraph, table } from '../../../support/documents/docx-builder.ts';
import { addedProblems } from '../../../support/documents/ooxml-check.ts';
import { errorOf, textOf } from '../render/fill.ts';

const words = table([
  ['{$dictionary}', 'en', 'de', 'de-AT'],
  ['total', 'Total', 'Summe', ''],
  ['january', 'January', 'Januar', 'Jänner'],
  ['R&D <x>', 'Research', '', ''],
]);

function render(body: string, data: unknown, locale?: string) {
  const template = buildDocx({ body });
  const { file, warnings } = renderTemplate(prepareTemplate(template, 'docx'), Buffer.from(JSON.stringify(data)), {
    locale,
  });
  return { template, file, text: textOf(openPackage(file)), warnings };
}

const body = paragraph('{"total" | translate} {month | translate | upper}.') + words + paragraph('End');

describe('a dictionary', () => {
  it.each([
    [undefined, 'Total JANUARY.'],
    ['en-GB', 'Total JANUARY.'],
    ['de', 'Summe JANUAR.'],
    ['de-AT', 'Summe JÄNNER.'],
  ])('gives the words of the language %s, and is not printed', (locale, line) => {
    const { text, warnings } = render(body, { month: 'january' }, locale);
    expect(text.split('\n')).toEqual([line, 'End']);
    expect(warnings).toEqual([]);
  });

  it('leaves a valid document, in a cell and in a section too', async () => {
    const cell = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="9000"/></w:tblGrid><w:tr><w:tc><w:tcPr/>${words}<w:p/></w:tc></w:tr></w:tbl>`;
    const { text, template, file } = render(
      paragraph('{#list}') + paragraph('{"total" | translate}') + cell + paragraph('{/list}') + paragraph('End'),
      { list: [1, 2] },
      'de',
    );
    expect(text.match(/Summe/g)).toHaveLength(2);
    expect(text).not.toContain('Total');
    expect(await addedProblems(template, file)).toEqual([]);
  });

  it('prints the key of a missing word, with a warning', () => {
    const { text, warnings } = render(body, { month: 'may' }, 'fr');
    expect(text.split('\n')[0]).toBe('total MAY.');
    expect(warnings).toEqual([
      { code: 'missing_word', message: '2 words are missing in the dictionary for fr: total, may.', count: 2 },
    ]);
    expect(render(paragraph('{key | translate}') + words, { key: 'R&D <x>' }, 'de').warnings).toHaveLength(1);
    expect(render(paragraph('{key | translate}') + words, { key: 'R&D <x>' }).text).toContain('Research');
  });

  it('may be in another part than its tags, or missing', () => {
    const template = buildDocx({ body: paragraph('{"total" | translate}'), footers: [words + paragraph('{x}')] });
    const { file } = renderTemplate(prepareTemplate(template, 'docx'), Buffer.from('{"x":"y"}'), { locale: 'de' });
    expect(textOf(openPackage(file))).toContain('Summe');
    expect(render(paragraph('{"total" | translate}'), {}).text).toBe('total');
  });

  it('gives the same bytes for the same request', () => {
    expect(render(body, { month: 'may' }, 'de').file.equals(render(body, { month: 'may' }, 'de').file)).toBe(true);
  });

  it('is checked at upload', () => {
    const warningsOf = (text: string) => inspectTemplate(buildDocx({ body: paragraph(text) + words })).warnings;
    expect(warningsOf('{"total" | translate} {key | translate}')).toEqual([]);
    expect(warningsOf('{“totl” | translate}')).toMatchObject([
      { code: 'missing_word', message: expect.stringContaining('the dictionary has no word "totl"') },
    ]);
    expect(inspectTemplate(buildDocx({ body })).tags).toEqual(['month']);
  });

  it.each([
    ['en', 'Total of the account, due'],
    ['de', 'Summe, fällig'],
    // The template has no word for de-CH, but one for de.
    ['de-CH', 'Summe, zahlbar'],
  ])('takes precedence over the words of the account in %s', (locale, line) => {
    const account = { EN: { total: 'Total of the account', due: 'due' }, de: { total: 'x', due: 'fällig' } };
    const json = JSON.stringify({ ...account, 'de-CH': { total: 'y', due: 'zahlbar', empty: '' } });
    const own = table([
      ['{$dictionary}', 'de'],
      ['total', 'Summe'],
    ]);
    const template = buildDocx({ body: paragraph('{"total" | translate}, {"due" | translate}{empty}') + own });
    const prepared = prepareTemplate(template, 'docx', { accountWords: Buffer.from(json) });
    const { file, warnings } = renderTemplate(prepared, Buffer.from('{"empty": ""}'), { locale });
    expect([textOf(openPackage(file)), warnings]).toEqual([line, []]);
    expect(inspectTemplate(template, { accountWords: Buffer.from(json) }).warnings).toEqual([]);
    expect(inspectTemplate(template).warnings).toMatchObject([{ message: expect.stringContaining('"due"') }]);
  });

  it('of the account is not read for a template without words; empty words are none', () => {
    const plain = buildDocx({ body: paragraph('{x}') });
    expect(() => prepareTemplate(plain, 'docx', { accountWords: Buffer.from('no JSON') })).not.toThrow();
    const template = buildDocx({ body: paragraph('{"total" | translate}') });
    const prepared = prepareTemplate(template, 'docx', { accountWords: Buffer.from('{"de": {"total": ""}}') });
    expect(renderTemplate(prepared, Buffer.from('{}'), { locale: 'de' }).warnings).toHaveLength(1);
  });

  it.each([
    [paragraph('{$dictionary}'), 'is not in the first cell of a table'],
    [table([['x', '{$dictionary}']]), 'is not in the first cell of a table'],
    [table([['{$dictionary}']]), 'has no locales beside it'],
    [table([['{$dictionary}', 'de_DE']]), 'has "de_DE" beside it, which is not a locale'],
    [table([['{$dictionary}', 'de', 'DE']]), 'has the locale DE twice'],
    [
      table([
        ['{$dictionary}', 'de'],
        ['a', 'b'],
        ['a', 'c'],
      ]),
      'has the word "a" twice',
    ],
    [
      table([
        ['{$dictionary}', 'de'],
        ['a', '{b}'],
      ]),
      'is in a table of words',
    ],
  ])('is refused with its mistake (%#)', (input, problem) => {
    const { details = [] } = errorOf(() => inspectTemplate(buildDocx({ body: input + paragraph('{x}') })));
    expect(details).toMatchObject([{ message: expect.stringContaining(problem), hint: expect.any(String) }]);
  });
});
