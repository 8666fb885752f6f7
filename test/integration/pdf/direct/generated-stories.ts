import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const paragraph = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const types = ['default', 'first', 'even'] as const;
const styleOf = (name: string, size: number, after: number): string =>
  `<w:style w:type="paragraph" w:styleId="S${name}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="${after}"/></w:pPr><w:rPr><w:sz w:val="${size}"/></w:rPr></w:style>`;
const stylesWith = (styles: string): string =>
  `<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Carlito" w:hAnsi="Carlito"/><w:sz w:val="22"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="80"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>${styles}</w:styles>`;

/** A document whose pages have headers and footers of some kinds, with or without styles for them. */
export const storiesOfSomePages: fc.Arbitrary<DocxInput> = fc
  .record({
    headers: fc.subarray([...types]),
    footers: fc.subarray([...types]),
    texts: fc.array(fc.constantFrom('one', 'one two', ''), { minLength: 1, maxLength: 3 }),
    hasFirst: fc.boolean(),
    hasEven: fc.boolean(),
    margin: fc.constantFrom(300, 720, 1000, 1440),
    names: fc.subarray(['header', 'footer']),
    size: fc.constantFrom(12, 22, 60),
    after: fc.constantFrom(0, 200),
    isStyled: fc.boolean(),
    lines: fc.integer({ min: 20, max: 120 }),
  })
  .map(({ headers, footers, texts, hasFirst, hasEven, margin, names, size, after, isStyled, lines }) => {
    const parts = [
      ...headers.map((type) => ({ type, kind: 'header', root: 'hdr' })),
      ...footers.map((type) => ({ type, kind: 'footer', root: 'ftr' })),
    ];
    const story = (kind: string): string =>
      texts
        .map((text) => paragraph(text, isStyled && names.includes(kind) ? `<w:pStyle w:val="S${kind}"/>` : ''))
        .join('');
    const xml = parts.map(({ type, kind, root }) => [
      `word/${kind}-${type}.xml`,
      `<w:${root} xmlns:w="${word}">${story(kind)}</w:${root}>`,
    ]);
    const references = parts.map(({ type, kind }) => `<w:${kind}Reference w:type="${type}" r:id="r${kind}${type}"/>`);
    const settings = `<w:settings xmlns:w="${word}">${hasEven ? '<w:evenAndOddHeaders/>' : ''}<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>`;
    return {
      body: Array.from({ length: lines }, (_, index) => paragraph(`line ${index}`)).join(''),
      section: `${references.join('')}${hasFirst ? '<w:titlePg/>' : ''}<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="${margin}" w:right="1440" w:bottom="${margin}" w:left="1440" w:header="300" w:footer="300" w:gutter="0"/>`,
      rels: [
        { id: 'rIdSettings', type: 'settings', target: 'settings.xml' },
        ...parts.map(({ type, kind }) => ({ id: `r${kind}${type}`, type: kind, target: `${kind}-${type}.xml` })),
      ],
      parts: {
        ...Object.fromEntries(xml),
        'word/styles.xml': stylesWith(names.map((name) => styleOf(name, size, after)).join('')),
        'word/settings.xml': settings,
      },
    };
  });
