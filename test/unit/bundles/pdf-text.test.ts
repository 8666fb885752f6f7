import { PdfDict, PdfName, PdfNumber, PdfString } from '@libpdf/core';
import { expect, it } from 'vitest';
import { pdfText } from '../../../src/worker/pdf/merge/pdf-text.ts';

it('names, numbers and strings are escaped, so that nothing in them is markup', () => {
  const dict = PdfDict.of({
    'A B/#(é': PdfName.of('x>>y'),
    N: PdfNumber.of(-0.0000001),
    M: PdfNumber.of(12.5),
    S: PdfString.fromBytes(Buffer.from(')>>\\')),
  });
  expect(pdfText(dict, () => 'null')).toBe('<</A#20B#2f#23#28#c3#a9 /x#3e#3ey /N -0.0000001 /M 12.5 /S <293e3e5c>>>');
});
