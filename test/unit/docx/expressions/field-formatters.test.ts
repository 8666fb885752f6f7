import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.ts';

describe('formatters of Word fields', () => {
  it.each([
    ['1234.5 | numberPicture:"#,##0.00"', '1,234.50'],
    ['1234.5 | numberPicture:"#,##0.00 €":"de-DE"', '1.234,50 €'],
    ['1234.5 | numberPicture:"#.##0,00":"de-DE"', '1.234,50'],
    ['1234.5 | numberPicture:"0,00":"de-DE"', '1234,50'],
    ['"$1,234.50" | numberPicture:"0.0"', '1234.5'],
    ['5 | numberPicture:"000"', '005'],
    ['5 | numberPicture:"$#,##0.00"', '$5.00'],
    ['(-5) | numberPicture:"$0.00"', '-$5.00'],
    ['(-5) | numberPicture:"0.00;(0.00);zero"', '(5.00)'],
    ['0 | numberPicture:"0.00;(0.00);\'none\'"', 'none'],
    ['12 | numberPicture:"0\' pcs\'"', '12 pcs'],
    ['12 | numberPicture:"0%"', '12%'],
    ['"n/a" | numberPicture:"0.00"', 'n/a'],
    ['"2026-03-01" | datePicture:"d MMMM yyyy":"de-DE"', '1 März 2026'],
    ['"2026-03-01" | datePicture:"TT.MM.JJJJ":"de-DE"', '01.03.2026'],
    ['"2026-03-01" | datePicture:"dddd, MMM d, yy"', 'Sunday, Mar 1, 26'],
    ['"2026-03-01T15:04:05" | datePicture:"h:mm am/pm"', '3:04 PM'],
    ['"2026-03-01" | datePicture:"\'on\' d.M."', 'on 1.3.'],
    ['"soon" | datePicture:"d MMMM yyyy"', 'soon'],
    ['"ada o\'hara" | caps', "Ada O'hara"],
    ['"Ada" | surround:"Dear ":","', 'Dear Ada,'],
    ['"" | surround:"Dear ":","', ''],
    ['14 | numberStyle:"ROMAN"', 'XIV'],
    ['14 | numberStyle:"roman"', 'xiv'],
    ['28 | numberStyle:"ALPHABETIC"', 'BB'],
    ['42 | numberStyle:"cardtext":"de"', 'zweiundvierzig'],
    ['"10" | compare:">":"9"', true],
    ['"b" | compare:">":"a"', true],
    ['"Yes" | compare:"=":"yes"', false],
    ['"Dr. Ada" | compare:"=":"Dr*a"', true],
    ['"Müller" | compare:"<>":"M?ller"', false],
    ['"\\x7bx\\x7d \\“"', '{x} “'],
  ])('%s is %s', (text, result) => {
    expect(evaluate(text, {})).toBe(result);
  });

  it.each([
    ['$field["First Name"]', { 'First Name': 1, first_name: 2 }, 1],
    ['$field["First Name"]', { FIRST_NAME: 1 }, 1],
    ['$field["FirstName"]', { 'first name': 1 }, 1],
    ['$field["Customer.Last Name"]', { customer: { last_name: 'Ada' } }, 'Ada'],
    ['$field["a.b"]', { 'A.B': 'whole', a: { b: 'path' } }, 'whole'],
    ['$field["length"]', { items: [] }, undefined],
    ['$field["to string"]', {}, undefined],
  ])('%s in %j is %s', (text, data, result) => {
    expect(evaluate(text, data)).toBe(result);
  });
});
