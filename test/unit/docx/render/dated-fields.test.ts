import { describe, expect, it } from 'vitest';
import { type DocxInput, paragraph, run } from '../../../support/documents/docx-builder.ts';
import { fieldMark } from '../../../support/documents/field-builder.ts';
import { inspect } from './fill.ts';

const simple = (instruction: string) =>
  `<w:p><w:fldSimple w:instr=" ${instruction} "><w:r><w:t>old</w:t></w:r></w:fldSimple></w:p>`;
const warningsOf = (input: DocxInput) => inspect(input).warnings.filter(({ code }) => code === 'date_field');

describe('the upload of a template with fields of dates', () => {
  it.each([
    ['DATE', 'DATE'],
    ['date \\@ &quot;yyyy&quot;', 'DATE'],
    ['TIME \\@ &quot;HH:mm&quot;', 'TIME'],
    ['CREATEDATE', 'CREATEDATE'],
    ['SAVEDATE \\* MERGEFORMAT', 'SAVEDATE'],
    ['INFO PRINTDATE', 'PRINTDATE'],
    ['DOCPROPERTY LastSavedTime', 'LastSavedTime'],
  ])('%s says that a PDF shows when it was uploaded', (instruction, name) => {
    expect(warningsOf({ body: `${paragraph('{x}')}${simple(instruction)}` })).toEqual([
      {
        code: 'date_field',
        message: `The field ${name} shows in a PDF when this version of the template was uploaded, not the time of the request. Send output.documentDate, or write a tag such as {today} instead.`,
        part: 'body',
        count: 1,
      },
    ]);
  });

  it('has one warning for each part, also of fields that Word splits into runs', () => {
    const pieces = [' DA', 'TE '].map((text) => `<w:r><w:instrText>${text}</w:instrText></w:r>`).join('');
    const split = `<w:p>${fieldMark('begin')}${pieces}${fieldMark('separate')}${run('old')}${fieldMark('end')}</w:p>`;
    const found = warningsOf({
      body: `${paragraph('{x}')}${split}${simple('TIME')}${simple('DATE')}`,
      footers: [`${paragraph('{y}')}${simple('SAVEDATE')}`],
    });
    expect(found).toMatchObject([
      { part: 'body', count: 3, message: expect.stringContaining('The fields DATE, TIME show') },
      { part: 'footer 1', count: 1 },
    ]);
  });

  it.each(['EDITTIME', 'FILENAME', 'PAGE', 'DATES', 'REF DATE', 'QUOTE TIME'])('has none for %s', (instruction) => {
    expect(warningsOf({ body: `${paragraph('{x} DATE')}${simple(instruction)}` })).toEqual([]);
  });
});
