import { expect, test } from 'vitest';
import { readDrawing } from '../../../../src/worker/pdf/direct/document/read-picture.ts';
import { parseElement } from '../../../../src/worker/pdf/direct/document/xml-element.ts';
import { namespaces } from '../../../support/documents/docx-builder.ts';

const read = (attributes: string, shape = '') =>
  readDrawing(
    parseElement(
      `<w:drawing ${namespaces}><wp:inline ${attributes}><wp:extent cx="635000" cy="63500"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill><a:blip r:embed="rId1"/></pic:blipFill><pic:spPr>${shape}</pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`,
    ),
    () => Buffer.from('picture'),
  );

test.each([
  ['', 181, 181],
  ['distL="0" distR="0"', 0, 0],
  ['distT="9" distB="9" distL="114300"', 0, 181],
])('a picture in a line with %j has space beside it only where the file says nothing', (attributes, left, right) => {
  expect(read(attributes)).toMatchObject({ width: 1_000, height: 100, spaceLeft: left, spaceRight: right });
});

test('the outline of a picture is known if it has no fill', () => {
  expect(read('', '<a:ln w="9525"><a:noFill/><a:miter lim="800000"/></a:ln>')).toMatchObject({ width: 1_000 });
  const drawn = '<a:ln w="9525"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></a:ln>';
  for (const outline of [drawn, '<a:ln/>']) expect(() => read('', outline)).toThrow('a:ln of a picture');
});
