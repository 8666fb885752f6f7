import { expect, it } from 'vitest';
import { repeatFirstHeaders } from '../../../../src/worker/docx/sanitize/repair/first-headers.ts';

const header = '<w:headerReference w:type="first" r:id="rId7"/>';
const footer = '<w:footerReference w:type="first" r:id="rId8"/>';
const section = (content: string) => `<w:sectPr>${content}</w:sectPr>`;
const document = (...sections: string[]) => `<w:document><w:body>${sections.join('<w:p/>')}</w:body></w:document>`;

it('repeats the first-page header and footer that an earlier section has but does not show', () => {
  const xml = document(section(`${header}${footer}<w:pgSz/>`), section('<w:pgSz/><w:titlePg/>'));
  expect(repeatFirstHeaders(xml)).toBe(
    document(section(`${header}${footer}<w:pgSz/>`), section(`${header}${footer}<w:pgSz/><w:titlePg/>`)),
  );
});

it('inherits over sections in between, up to the first section that shows them', () => {
  const xml = document(section(header), section(''), section('<w:titlePg/>'), section('<w:titlePg/>'));
  expect(repeatFirstHeaders(xml)).toBe(
    document(section(header), section(''), section(`${header}<w:titlePg/>`), section('<w:titlePg/>')),
  );
});

it.each([
  ['the section shows them', document(section(`${header}<w:titlePg/>`), section('<w:titlePg/>'))],
  ['the later section has its own', document(section(header), section(`${header}<w:titlePg/>`))],
  ['no later section has a first page of its own', document(section(header), section('<w:titlePg w:val="0"/>'))],
  ['there is none', document(section('<w:pgSz/>'), section('<w:titlePg/>'))],
  [
    'only earlier properties of a tracked change have one',
    document(section(header), section(`<w:pgSz/><w:sectPrChange>${section('<w:titlePg/>')}</w:sectPrChange>`)),
  ],
])('changes nothing when %s', (_case, xml) => {
  expect(repeatFirstHeaders(xml)).toBeUndefined();
});

it('keeps the markup of a reference that has an end tag', () => {
  const long = '<w:headerReference w:type="first" r:id="rId7"></w:headerReference>';
  expect(repeatFirstHeaders(document(section(long), section('<w:titlePg/>')))).toBe(
    document(section(long), section(`${header}<w:titlePg/>`)),
  );
});
