import { expect, test } from 'vitest';
import { adviceFor, markAt, placeInExample } from '../../../../src/console/templates/layout/layout-reason.ts';
import { describeDifference } from '../../../../src/worker/direct-pdf/describe-difference.ts';
import { explainReason } from '../../../../src/worker/direct-pdf/explain-reason.ts';

const difference = { measure: 'text', page: 2, message: '1 character missing' } as const;

test('the place of a difference on the pages with the example data is known from its reason', () => {
  const reasonOf = (place: object, data = 'the example data') =>
    `With ${data}, ${describeDifference({ ...difference, ...place })}.`;
  const place = placeInExample(reasonOf({ x: 85, y: 142 }));
  expect([place?.page, Math.round(place?.x ?? 0), Math.round(place?.y ?? 0)]).toEqual([2, 85, 142]);
  expect(placeInExample(reasonOf({}))).toEqual({ page: 2 });
  expect(placeInExample(reasonOf({ x: 85, y: 142 }, 'many rows'))).toBeUndefined();
  expect(placeInExample(explainReason('w:framePr'))).toBeUndefined();
});

test('a mark surrounds the place of a difference and stays on the page', () => {
  expect(markAt({ page: 2, x: 85, y: 142 }, 'why')).toMatchObject({ page: 1, x: 81, y: 128, label: 'why' });
  expect(markAt({ page: 1, x: 0, y: 0 }, 'why')).toMatchObject({ x: 0, y: 0 });
  expect(markAt({ page: 1 }, 'why')).toBeUndefined();
});

test.each([
  ['mc:AlternateContent', /table cell/],
  ['w:tblpPr', /Text wrapping: None/],
  ['w:ins', /Accept All/],
  ['w:cols of a section', /table instead of columns/],
  ['field DATE', /tag with the value/],
  ['a picture that is not a PNG or JPEG', /PNG/],
  ['a font that is not plain', /has this style/],
  ['a font without a rule for its substitute', /installed/],
])('the reason %s comes with what helps in Word', (reason, advice) => {
  expect(adviceFor(explainReason(reason))).toMatch(advice);
});

test.each(['w:bidi', 'a form field', 'w:unknown'])('for the reason %s nothing is suggested', (reason) => {
  expect(adviceFor(explainReason(reason))).toBeUndefined();
});
