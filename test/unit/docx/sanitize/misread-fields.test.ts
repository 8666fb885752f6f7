import { describe, expect, it } from 'vitest';
import { run } from '../../../support/documents/docx-builder.ts';
import { field } from '../../../support/documents/field-builder.ts';
import { clean } from './clean.ts';

const bookmark =
  '<w:p><w:bookmarkStart w:id="1" w:name="_Ref1"/><w:r><w:t>target</w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>';

describe('a field that LibreOffice evaluates differently from Word shows its last result', () => {
  const ofSaving = ['LASTSAVEDBY', 'REVNUM', 'EDITTIME', 'TEMPLATE'];
  const properties = ['  Template', ' LastSavedBy', ' "RevisionNumber"', ' TotalEditingTime'];
  const broken = ['REF _Ref9 \\h', 'PAGEREF nowhere', 'IF 1 = 2 "yes" "no"', 'docproperty lastsavedby'];

  it.each([...ofSaving, ...properties.map((name) => `DOCPROPERTY${name}`), ...broken])('%s', (code) => {
    const { body, codes } = clean({ body: `${bookmark}<w:p>${field(code, run('last result'))}</w:p>` });
    expect(body).toContain('last result');
    expect(body).not.toContain(code);
    expect(codes).toEqual([]);
  });

  it.each(['REF _Ref1 \\h', 'PAGEREF _ref1', 'NUMPAGES', 'SEQ Figure', 'DOCPROPERTY Company', 'DOCPROPERTY Words'])(
    'another field stays: %s',
    (code) => {
      const { body } = clean({ body: `${bookmark}<w:p>${field(code, run('last result'))}</w:p>` });
      expect(body).toContain(code.split(' ')[0]);
    },
  );

  it('a reference in a header may point to the body', () => {
    const { docx } = clean({ headers: [`<w:p>${field('REF _Ref1', run('x'))}</w:p>`], body: bookmark });
    expect(docx.readText('word/header1.xml')).toContain('REF _Ref1');
  });
});
