import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentDisposition, toSafeFilename } from '../../../../src/api/documents/output-filename.ts';

describe('toSafeFilename', () => {
  it.each([
    ['offer', 'offer.pdf'],
    ['offer.pdf', 'offer.pdf'],
    ['Offer.PDF', 'Offer.pdf'],
    ['offer.docx', 'offer.docx.pdf'],
    ['offer 2026.11', 'offer 2026.11.pdf'],
    ['Größe 42 € 見積 😀', 'Größe 42 € 見積 😀.pdf'],
    ["it's 100% (final); v=1, a=b", "it's 100% (final); v=1, a=b.pdf"],
    ['../../etc/passwd', 'passwd.pdf'],
    ['C:\\Windows\\evil.exe', 'evil.exe.pdf'],
    ['a/b/', 'document.pdf'],
    ['..', 'document.pdf'],
    ['...', 'document.pdf'],
    ['.pdf', 'document.pdf'],
    [' . . ', 'document.pdf'],
    ['/', 'document.pdf'],
    ['.hidden', 'hidden.pdf'],
    ['trailing. . ', 'trailing.pdf'],
    ['CON', '_CON.pdf'],
    ['nul.txt', '_nul.txt.pdf'],
    ['a"; filename="evil.exe', 'a; filename=evil.exe.pdf'],
    ['a\r\nSet-Cookie: b', 'aSet-Cookie b.pdf'],
    ['a\0b\x7fc\u0085d', 'abcd.pdf'],
    ['exe.\u202efdp', 'exe.fdp.pdf'],
    ['a\ud83d', 'a\ufffd.pdf'],
    ['<script>|*?:', 'script.pdf'],
    ['%2e%2e%2fpasswd', '%2e%2e%2fpasswd.pdf'],
    ["UTF-8''%41", "UTF-8''%41.pdf"],
    ['x'.repeat(1_000), `${'x'.repeat(146)}.pdf`],
    ['é'.repeat(500), `${'é'.repeat(73)}.pdf`],
    ['😀'.repeat(200), `${'😀'.repeat(36)}.pdf`],
  ])('%j becomes %j', (wanted, expected) => {
    expect(toSafeFilename(wanted, 'pdf')).toBe(expected);
  });

  it('is short, has its extension, and stays the same when cleaned again', () => {
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
  it('contains an ASCII name and the original name', () => {
    expect(contentDisposition("Größe (1)'.pdf")).toBe(
      `attachment; filename="Grosse (1)'.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%281%29%27.pdf`.replace(
        'Grosse',
        'Gro_e',
      ),
    );
  });

  it('is one header line that decodes to the original name', () => {
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
