import { expect, test } from 'vitest';
import { namespaces } from '../../../../test/support/documents/docx-builder.ts';
import { graphic } from '../../../../test/support/documents/word-xml.ts';
import { parseElement } from '../../src/document/parse-element.ts';
import { readDrawing } from '../../src/document/read-picture.ts';

const read = (attributes: string, shape = '') =>
  readDrawing(
    parseElement(
      `<w:drawing ${namespaces}><wp:inline ${attributes}><wp:extent cx="635000" cy="63500"/>${graphic('rId1', 'cx="635000" cy="63500"', { shape })}</wp:inline></w:drawing>`,
    ),
    () => Buffer.from('picture'),
    true,
  );

test.each([
  ['', 181, 181],
  ['distL="0" distR="0"', 0, 0],
  ['distT="9" distB="9" distL="114300"', 0, 181],
])('a picture in a line with %j has space beside it only where the file says nothing', (attributes, left, right) => {
  expect(read(attributes)).toMatchObject({ width: 1_000, height: 100, spaceLeft: left, spaceRight: right });
});

const red = '<a:solidFill><a:srgbClr val="ff0000"/></a:solidFill>';

test.each([
  ['<a:ln w="9525"><a:noFill/><a:miter lim="800000"/></a:ln>', undefined],
  [red, { fill: 'FF0000', line: undefined }],
  [
    `<a:noFill/><a:ln w="12700" cmpd="sng">${red}<a:miter lim="800000"/></a:ln>`,
    { fill: undefined, line: { width: 20, color: 'FF0000' } },
  ],
])('a picture with %s has an area and lines of one colour', (shape, frame) => {
  expect(read('', shape).frame).toEqual(frame);
});

test.each([
  ['<a:ln/>', 'a:ln of a picture'],
  [`<a:ln>${red}</a:ln>`, 'the length of a picture'],
  [`<a:ln w="12700">${red}<a:prstDash val="dash"/></a:ln>`, 'a:ln of a picture'],
  [`<a:ln w="12700" cmpd="dbl">${red}</a:ln>`, 'a:ln of a picture'],
  [`<a:ln w="38100">${red}</a:ln>`, 'a picture without space between its lines'],
  ['<a:solidFill><a:schemeClr val="tx1"/></a:solidFill>', 'a:schemeClr of a picture'],
  ['<a:solidFill><a:srgbClr val="FF0000"><a:alpha val="50000"/></a:srgbClr></a:solidFill>', 'a:srgbClr of a picture'],
])('a picture with %s is left to LibreOffice', (shape, reason) => {
  expect(() => read('', shape)).toThrow(reason);
});
