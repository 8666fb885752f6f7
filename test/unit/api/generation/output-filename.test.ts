import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentDisposition, toSafeFilename } from '../../../../src/api/generation/output-filename.ts';

describe('toSafeFilename', () => {
  it.each([
    ['invoice', 'invoice.pdf'],
    ['invoice.pdf', 'invoice.pdf'],
    ['Invoice.PDF', 'Invoice.pdf'],
    ['report.final', 'report.final.pdf'],
    ['../../etc/passwd', 'passwd.pdf'],
    ['C:\\temp\\x.pdf', 'x.pdf'],
    ['a\r\nSet-Cookie: b', 'aSet-Cookie b.pdf'],
    ['"quoted";x', 'quoted;x.pdf'],
    ['\u202Efdp.exe', 'fdp.exe.pdf'],
    ['CON', '_CON.pdf'],
    ['..', 'document.pdf'],
    ['   ', 'document.pdf'],
    ['/', 'document.pdf'],
    ['Größe 42 €', 'Größe 42 €.pdf'],
    ['a\ud83d', 'a\ufffd.pdf'],
  ])('%j becomes %j', (wanted, expected) => {
    expect(toSafeFilename(wanted, 'pdf')).toBe(expected);
  });

  it('is short, has its extension, and does not change when cleaned again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (wanted) => {
        const safe = toSafeFilename(wanted, 'docx');
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(156);
        expect(safe).toMatch(/^[^/\\\p{Cc}"]+\.docx$/u);
        expect(toSafeFilename(safe, 'docx')).toBe(safe);
      }),
    );
  });
});

describe('contentDisposition', () => {
  it('contains an ASCII name and the original one', () => {
    expect(contentDisposition("Größe (1)'.pdf")).toBe(
      `attachment; filename="Grosse (1)'.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%281%29%27.pdf`.replace(
        'Grosse',
        'Gro_e',
      ),
    );
  });

  it('is one header line that decodes to the original name, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (wanted) => {
        const name = toSafeFilename(wanted, 'pdf');
        const header = contentDisposition(name);
        expect(header).toMatch(
          /^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]+"; filename\*=UTF-8''[!#$&+.^_`|~\w%-]+$/,
        );
        expect(decodeURIComponent(header.split("UTF-8''")[1] ?? '')).toBe(name);
      }),
    );
  });
});
