import { expect, test } from 'vitest';
import { toPdfEngine } from '../../../../../src/api/routes/templates/pdf-engine-resource.ts';

const difference = {
  measure: 'text',
  page: 2,
  message: '3 characters elsewhere, the first by 1.20 pt',
  x: 72,
  y: 90.5,
} as const;

test('a template shows how its PDFs are laid out, and why', () => {
  const none = { isClaimed: false, reasons: [], documentId: null, differences: null };
  expect(toPdfEngine(undefined)).toEqual({ pdfEngine: 'office', pdfEngineReasons: [], proving: false });
  const proving = { pdfEngine: 'office', proving: true };
  expect(toPdfEngine({ ...none, state: 'waiting', isClaimed: true })).toEqual({
    ...proving,
    pdfEngineReasons: ['Its pages are being compared.'],
  });
  expect(toPdfEngine({ ...none, state: 'waiting' })).toEqual({
    ...proving,
    pdfEngineReasons: ['The comparison of its pages waits for an idle worker that lays out pages directly.'],
  });
  const direct = { pdfEngine: 'direct', pdfEngineReasons: [], proving: false };
  expect(toPdfEngine({ ...none, state: 'direct' })).toEqual(direct);
});

test('a template that a page check took back to LibreOffice shows which document differed, and where', () => {
  const reasons = ["A document differs from LibreOffice's: page 2 differs."];
  expect(
    toPdfEngine({ state: 'office', isClaimed: false, reasons, documentId: 'doc_1', differences: [difference] }),
  ).toEqual({
    pdfEngine: 'office',
    pdfEngineReasons: reasons,
    proving: false,
    pdfEngineEvidence: { jobId: 'doc_1', differences: [difference] },
  });
});
