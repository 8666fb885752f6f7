import { describe, expect, test } from 'vitest';
import {
  countExportedPages,
  invalidRange,
  type PdfOptions,
  toFilterData,
} from '../../../../src/worker/pdf/office/pdf-options.ts';

function pathOf(options: PdfOptions): string | undefined {
  try {
    toFilterData(options);
  } catch (error) {
    const details = (error as { details?: readonly { path?: string }[] }).details;
    return details?.[0]?.path;
  }
  return undefined;
}

describe('filter data', () => {
  test('only keeps the resolution of pictures when no option is given', () => {
    expect(toFilterData()).toEqual({ ReduceImageResolution: false });
    expect(toFilterData({ archive: undefined, accessible: false, permissions: undefined })).toEqual(toFilterData());
  });

  test('sets a new random owner password for permissions', () => {
    const first = toFilterData({ permissions: {} });
    const { PermissionPassword: secret } = first;
    const { PermissionPassword: another } = toFilterData({ permissions: {} });
    expect(first).toMatchObject({ RestrictPermissions: true, Printing: 2, Changes: 4, EnableCopyingOfContent: true });
    expect(secret).toMatch(/^[0-9a-z]{32}$/);
    expect(secret).not.toBe(another);
  });
});

describe('invalid options', () => {
  test.each<[string, PdfOptions]>([
    ['output.pdf.password', { archive: 'PDF/A-1b', password: 'x' }],
    ['output.pdf.permissions', { archive: 'PDF/A-3b', permissions: {} }],
    ['output.pdf.permissions.accessibility', { accessible: true, permissions: { accessibility: false } }],
    ['output.pdf.password', { password: '' }],
    ['output.pdf.password', { password: 'пароль' }],
    ['output.pdf.password', { password: '密码' }],
    ['output.pdf.password', { password: 'ten€' }],
    ['output.pdf.password', { password: '🔒' }],
    ['output.pdf.pages', { pages: 'all' }],
    ['output.pdf.pages', { pages: '1-' }],
    ['output.pdf.pages', { pages: '' }],
    ['output.pdf.imageQuality', { imageQuality: 0 }],
    ['output.pdf.imageQuality', { imageQuality: 50.5 }],
  ])('are rejected with the path of the field: %s', (path, options) => {
    expect(pathOf(options)).toBe(path);
  });

  test('a range is invalid only when it contains no page of the document', () => {
    expect(invalidRange({ PageRange: '3-4' }, 3)).toBeUndefined();
    expect(invalidRange({ PageRange: '4' }, 3)?.message).toBe(
      'The document has 3 page(s), and 4 contains none of them.',
    );
    expect(invalidRange({}, 3)).toBeUndefined();
    expect(invalidRange({ PageRange: '4' }, 0)).toBeUndefined();
  });
});

test('a password may contain characters that every reader encodes the same way', () => {
  expect(pathOf({ password: ' ~Zürich ÿ¡' })).toBeUndefined();
});

test.each([
  ['1,1', 2],
  ['3-1', 3],
  ['6-3', 3],
  ['9-4', 2],
  ['0-9', 5],
  ['1-0', 1],
  ['2,7', 1],
  ['1-3,2-4', 6],
  ['0-0', 0],
  ['6-9,12', 0],
])('of five pages %s contains %i, as LibreOffice counts', (PageRange, count) => {
  expect(countExportedPages({ PageRange }, 5)).toBe(count);
  expect(invalidRange({ PageRange }, 5) === undefined).toBe(count > 0);
});
