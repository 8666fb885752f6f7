import { describe, expect, it } from 'vitest';
import { paragraph, table } from '../../../support/documents/docx-builder.ts';
import { bytesOf, detailsOf, inspect, problems, render, rows } from '../render/fill.ts';

const words = table(
  rows('{$dictionary};en;de;de-AT', 'total;Total;Summe;', 'january;January;Januar;Jänner', 'R&D <x>;Research;;'),
);

const body = paragraph('{"total" | translate} {month | translate | upper}.') + words + paragraph('End');

describe('a dictionary in a template', () => {
  it.each([
    [undefined, 'Total JANUARY.'],
    ['en-GB', 'Total JANUARY.'],
    ['de', 'Summe JANUAR.'],
    ['de-AT', 'Summe JÄNNER.'],
  ])('provides the words in %s, and is not printed', (locale, line) => {
    const { text, warnings } = render({ body }, { month: 'january' }, { locale });
    expect(text.split('\n')).toEqual([line, 'End']);
    expect(warnings).toEqual([]);
  });

  it('leaves a valid document, also in a cell and in a section', async () => {
    const cell = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="9000"/></w:tblGrid><w:tr><w:tc><w:tcPr/>${words}<w:p/></w:tc></w:tr></w:tbl>`;
    const section = paragraph('{#list}') + paragraph('{"total" | translate}') + cell + paragraph('{/list}');
    const body = section + paragraph('End');
    const { text } = render({ body }, { list: [1, 2] }, { locale: 'de' });
    expect(text.match(/Summe/g)).toHaveLength(2);
    expect(text).not.toContain('Total');
    expect(await problems({ body }, { list: [1, 2] }, { locale: 'de' })).toEqual([]);
  });

  it('prints the key of a missing word, with a warning', () => {
    const { text, warnings } = render({ body }, { month: 'may' }, { locale: 'fr' });
    expect(text.split('\n')[0]).toBe('total MAY.');
    expect(warnings).toEqual([
      { code: 'missing_word', message: '2 words are missing in the dictionary for fr: total, may.', count: 2 },
    ]);
    const research = { body: paragraph('{key | translate}') + words };
    expect(render(research, { key: 'R&D <x>' }, { locale: 'de' }).warnings).toHaveLength(1);
    expect(render(research, { key: 'R&D <x>' }).text).toContain('Research');
  });

  it('may be in another part than its tags, or missing', () => {
    const input = { body: paragraph('{"total" | translate}'), footers: [words + paragraph('{x}')] };
    expect(render(input, { x: 'y' }, { locale: 'de' }).text).toBe('Summe');
    expect(render('{"total" | translate}', {}).text).toBe('total');
  });

  it('is checked at upload', () => {
    const warningsOf = (text: string) => inspect({ body: paragraph(text) + words }).warnings;
    expect(warningsOf('{"total" | translate} {key | translate}')).toEqual([]);
    expect(warningsOf('{“totl” | translate}')).toMatchObject([
      { code: 'missing_word', message: expect.stringContaining('the dictionary has no word "totl"') },
    ]);
    expect(inspect({ body }).tags).toEqual(['month']);
  });

  it.each([
    ['en', 'Total of the account, due'],
    ['de', 'Summe, fällig'],
    // The template has no word for de-CH, but it has one for de.
    ['de-CH', 'Summe, zahlbar'],
  ])("takes precedence over the account's words in %s", (locale, line) => {
    const account = { EN: { total: 'Total of the account', due: 'due' }, de: { total: 'x', due: 'fällig' } };
    const json = JSON.stringify({ ...account, 'de-CH': { total: 'y', due: 'zahlbar', empty: '' } });
    const own = table(rows('{$dictionary};de', 'total;Summe'));
    const template = bytesOf({ body: paragraph('{"total" | translate}, {"due" | translate}{empty}') + own });
    const accountWords = Buffer.from(json);
    const { text, warnings } = render(template, { empty: '' }, { locale, accountWords });
    expect([text, warnings]).toEqual([line, []]);
    expect(inspect(template, { accountWords }).warnings).toEqual([]);
    expect(inspect(template).warnings).toMatchObject([{ message: expect.stringContaining('"due"') }]);
  });

  it("is not replaced by the account's words in a template without words, and empty words count as none", () => {
    expect(() => render('{x}', {}, { accountWords: Buffer.from('no JSON') })).not.toThrow();
    const accountWords = Buffer.from('{"de": {"total": ""}}');
    expect(render('{"total" | translate}', {}, { accountWords, locale: 'de' }).warnings).toHaveLength(1);
  });

  it.each([
    [paragraph('{$dictionary}'), 'is not in the first cell of a table'],
    [table([['x', '{$dictionary}']]), 'is not in the first cell of a table'],
    [table([['{$dictionary}']]), 'has no locales beside it'],
    [table([['{$dictionary}', 'de_DE']]), 'has "de_DE" beside it, which is not a locale'],
    [table([['{$dictionary}', 'de', 'DE']]), 'has the locale DE twice'],
    [table(rows('{$dictionary};de', 'a;b', 'a;c')), 'has the word "a" twice'],
    [table(rows('{$dictionary};de', 'a;{b}')), 'is in a table of words'],
  ])('is refused with its mistake (%#)', (input, problem) => {
    const expected = { message: expect.stringContaining(problem), hint: expect.any(String) };
    expect(detailsOf({ body: input + paragraph('{x}') })).toMatchObject([expected]);
  });
});
