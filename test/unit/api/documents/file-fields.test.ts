import { describe, expect, test } from 'vitest';
import { generateRequest } from '../../../../src/api/documents/generate-request.ts';
import { storeFiles } from '../../../../src/api/documents/store-files.ts';
import { parseRequest } from '../../../../src/api/http/parse-request.ts';
import type { AppError } from '../../../../src/shared/errors.ts';
import { fileLimits } from '../../../../src/shared/request-files.ts';

const file = { name: 'a.xml', mediaType: 'application/xml', content: 'PGEvPg==' };
const { name, mediaType } = file;
const tooLarge = 'A'.repeat(Math.ceil(fileLimits.fileBytes / 3) * 4 + 4);

/** The problems that the service reports for a request, one line for each field. */
function problemsOf(output: object): string[] {
  try {
    parseRequest(generateRequest, { data: {}, output });
    return [];
  } catch (error) {
    const details = (error as AppError).details ?? [];
    return details.map((detail) => `${'path' in detail ? detail.path : ''}: ${detail.message}`);
  }
}

const ofPdf = (pdf: object) => problemsOf({ format: 'pdf', pdf });

describe('files of a request', () => {
  test.each([
    ['with content', { attachments: [file] }],
    ['from an asset', { attachments: [{ name, mediaType, asset: 'a.xml', relationship: 'Source', description: 'x' }] }],
    ['in an archive', { archive: 'PDF/A-3b', attachments: [file], append: [{ asset: 'b' }] }],
    ['not at all, in another archive', { archive: 'PDF/A-2b', attachments: [] }],
    ['before and after', { prepend: [{ content: 'JVBERg==' }], append: [{ asset: 'ast_1' }, { asset: 'b.pdf' }] }],
  ])('are accepted %s', (_title, pdf) => {
    expect(ofPdf(pdf)).toEqual([]);
  });

  test.each<[object, RegExp]>([
    [{ attachments: [{ name, mediaType }] }, /attachments\[0\]: must have an asset or content/],
    [{ attachments: [{ ...file, asset: 'a' }] }, /attachments\[0\]: must not have both/],
    [{ attachments: [{ ...file, content: '' }] }, /content: must not be empty/],
    [{ attachments: [{ ...file, content: 'PGEv\nPg==' }] }, /content: must be base64/],
    [{ attachments: [{ ...file, content: 'PGEvPg' }] }, /content: must be base64/],
    [{ attachments: [{ ...file, content: tooLarge }] }, /content: must have at most 5 MB/],
    [{ attachments: [{ ...file, name: 'a/b.xml' }] }, /name: must not contain a path/],
    [{ attachments: [{ ...file, name: '..' }] }, /name: must not contain a path/],
    [{ attachments: [{ ...file, name: 'a\u0007.xml' }] }, /name: must not contain control/],
    [{ attachments: [{ ...file, name: 'a\u202excod.exe' }] }, /name: must not contain control/],
    [{ attachments: [{ ...file, name: ' a' }] }, /name: must not be empty/],
    [{ attachments: [file, { ...file, name: 'A.XML' }] }, /attachments\[1\]\.name: is the name of another file/],
    [{ attachments: [{ ...file, mediaType: 'text/xml; charset=utf-8' }] }, /mediaType: must be a media type/],
    [{ attachments: [{ ...file, relationship: 'Friend' }] }, /relationship: must be Source/],
    [{ attachments: Array.from({ length: 21 }, (_, i) => ({ ...file, name: `${i}` })) }, /at most 20 files/],
    [{ attachments: [file], archive: 'PDF/A-2b' }, /attachments: cannot be used with PDF\/A-2b.* PDF\/A-3b/],
    [{ append: [{ asset: 'a\u0000' }] }, /append\[0\]\.asset: must not contain null characters/],
    [{ append: [{ asset: '\ud800' }] }, /append\[0\]\.asset: must not contain null characters or lone surrogates/],
    [{ append: [{}] }, /append\[0\]: must have an asset or content/],
    [{ prepend: Array.from({ length: 11 }, () => ({ asset: 'a' })) }, /prepend: must have at most 10 files/],
  ])('are refused with their place: %o', (pdf, problem) => {
    expect(ofPdf(pdf)).toEqual([expect.stringMatching(problem)]);
  });

  test('of an e-mail have neither a relationship nor equal names', () => {
    const email = (attachments: object[]) => problemsOf({ email: { to: ['ada@example.com'], attachments } });
    expect(email([file])).toEqual([]);
    expect(email([{ ...file, relationship: 'Data' }])).toEqual([expect.stringMatching(/relationship/)]);
    expect(email([file, file])).toEqual([expect.stringMatching(/attachments\[1\]\.name/)]);
  });
});

test('the content of files is stored behind the data, and options only say where', () => {
  const json = Buffer.from('{"a":1}');
  const pdf = { archive: 'PDF/A-3b' as const, attachments: [file], append: [{ asset: 'b' }, { content: 'JVBERg==' }] };
  const stored = storeFiles({ pdf, email: { attachments: [{ ...file, content: 'eA==' }] } }, json);
  expect(stored.data.toString()).toBe('{"a":1}<a/>%PDFx');
  const contents = [stored.pdf?.attachments?.[0], stored.pdf?.append?.[1], stored.emailAttachments?.[0]];
  const texts = contents.map((each) => {
    const { offset = 0, sizeBytes = 0 } = each?.content ?? {};
    return stored.data.subarray(offset, offset + sizeBytes).toString();
  });
  expect(texts).toEqual(['<a/>', '%PDF', 'x']);
  expect(stored.pdf).toMatchObject({ archive: 'PDF/A-3b', attachments: [{ name }], append: [{ asset: 'b' }, {}] });
  expect(storeFiles({ pdf: { archive: 'PDF/A-2b' } }, json)).toMatchObject({
    pdf: { archive: 'PDF/A-2b' },
    data: json,
  });
  expect(storeFiles({}, json)).toEqual({ pdf: null, emailAttachments: undefined, data: json });
});
