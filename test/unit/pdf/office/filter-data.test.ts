import { describe, expect, test } from 'vitest';
import type { PdfOptions } from '../../../../src/shared/output-options.ts';
import { invalidRange, toFilterData } from '../../../../src/worker/pdf/office/filter-data.ts';

function pathOf(options: PdfOptions): string | undefined {
  try {
    toFilterData(options);
  } catch (error) {
    const details = (error as { details?: readonly { path?: string }[] }).details;
    return details?.[0]?.path;
  }
  return undefined;
}

describe('the PDF export settings for LibreOffice', () => {
  test('contain only the resolution of pictures when no option is given', () => {
    expect(toFilterData()).toEqual({ ReduceImageResolution: false });
    expect(toFilterData({ archive: undefined, accessible: false, permissions: undefined })).toEqual(toFilterData());
  });

  test('contain neither password nor permissions, which are added later', () => {
    expect(toFilterData({ password: 'x' })).toEqual(toFilterData());
    expect(toFilterData({ permissions: { copying: false } })).toEqual(toFilterData());
  });
});

describe('invalid PDF options', () => {
  test.each<[string, PdfOptions]>([
    ['output.pdf.password', { archive: 'PDF/A-1b', password: 'x' }],
    ['output.pdf.permissions', { archive: 'PDF/A-3b', permissions: {} }],
    ['output.pdf.permissions.accessibility', { accessible: true, permissions: { accessibility: false } }],
    ['output.pdf.password', { password: '' }],
    ['output.pdf.password', { password: 'a\nb' }],
    ['output.pdf.password', { password: '\ud800' }],
    ['output.pdf.pages', { pages: 'all' }],
    ['output.pdf.pages', { pages: '1-' }],
    ['output.pdf.pages', { pages: '' }],
    ['output.pdf.imageQuality', { imageQuality: 0 }],
    ['output.pdf.imageQuality', { imageQuality: 50.5 }],
  ])('are rejected with the path of the field: %s', (path, options) => {
    expect(pathOf(options)).toBe(path);
  });

  test('include a range only if it contains no page of the document', () => {
    expect(invalidRange({ PageRange: '3-4' }, 3)).toBeUndefined();
    expect(invalidRange({ PageRange: '4' }, 3)?.message).toBe(
      'The document has 3 page(s), and 4 contains none of them.',
    );
    expect(invalidRange({}, 3)).toBeUndefined();
    expect(invalidRange({ PageRange: '4' }, 0)).toBeUndefined();
  });
});

test.each([' ~Zürich ÿ¡', 'пароль', '密码', 'ten€', '🔒'])('a password may be %s', (password) => {
  expect(pathOf({ password })).toBeUndefined();
});

test.each([
  ['1,1', true],
  ['3-1', true],
  ['6-3', true],
  ['9-4', true],
  ['0-9', true],
  ['1-0', true],
  ['2,7', true],
  ['1-3,2-4', true],
  ['0-0', false],
  ['6-9,12', false],
])('whether the range %s contains one of five pages, as LibreOffice counts: %s', (PageRange, isValid) => {
  expect(invalidRange({ PageRange }, 5) === undefined).toBe(isValid);
});
