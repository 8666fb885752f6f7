import { expect, test } from 'vitest';
import { explainReason } from '../../../../src/worker/direct-pdf/explain-reason.ts';

test.each([
  ['w:ins', 'a tracked change (w:ins)'],
  ['w:rPrChange', 'a tracked change (w:rPrChange)'],
  ['w:insideH of a frame', 'w:insideH of a frame'],
  ['wp:wrapSquare', 'a picture with text around it (wp:wrapSquare)'],
  ['m:oMathPara', 'an equation (m:oMathPara)'],
  ['w:cols of a section', 'columns (w:cols of a section)'],
  ['a form field', 'a form field'],
])('%s is explained in the words of Word', (reason, explained) => {
  expect(explainReason(reason)).toBe(`Not laid out directly: ${explained}.`);
});
