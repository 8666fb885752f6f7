import { expect, test } from 'vitest';
import { checkPdf } from '../../../../src/worker/pdf/conformance/check-pdf.ts';
import { conformingParts, toPdf } from '../../../support/documents/conforming-pdf.ts';

test('a conforming file passes PDF/A-2b and PDF/UA-1', async () => {
  const report = await checkPdf(toPdf(conformingParts()), ['PDF/A-2b', 'PDF/UA-1']);
  expect(report.standards.flatMap(({ failures }) => failures)).toEqual([]);
  expect(report.passed).toBe(true);
  expect(report.standards.map(({ standard, checked }) => [standard, checked > 30])).toEqual([
    ['PDF/A-2b', true],
    ['PDF/UA-1', true],
  ]);
});
