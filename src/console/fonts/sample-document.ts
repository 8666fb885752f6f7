import { strToU8, zipSync } from 'fflate';

export interface SampleLine {
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

const types = 'http://schemas.openxmlformats.org/package/2006/content-types';
const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const officeDocument = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const mainType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** A template with lines in a font, each of which prints `text`, to be previewed as the service prints them. */
export function buildSample(font: string, lines: readonly SampleLine[]): Uint8Array<ArrayBuffer> {
  const name = escapeXml(font);
  const paragraphs = lines.map(({ isBold, isItalic }) => {
    const style = `${isBold ? '<w:b/>' : ''}${isItalic ? '<w:i/>' : ''}`;
    const fonts = `<w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:eastAsia="${name}" w:cs="${name}"/>`;
    const spacing = '<w:pPr><w:spacing w:before="0" w:after="0" w:line="640" w:lineRule="exact"/></w:pPr>';
    return `<w:p>${spacing}<w:r><w:rPr>${fonts}${style}<w:sz w:val="40"/></w:rPr><w:t>{text}</w:t></w:r></w:p>`;
  });
  const margins = '<w:pgMar w:top="120" w:right="120" w:bottom="120" w:left="120"/>';
  const page = `<w:sectPr><w:pgSz w:w="9000" w:h="16000"/>${margins}</w:sectPr>`;
  const rels = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>';
  const main = `<Override PartName="/word/document.xml" ContentType="${mainType}"/>`;
  const relationship = `<Relationship Id="rId1" Type="${officeDocument}" Target="word/document.xml"/>`;
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${types}">${rels}${main}</Types>`,
    '_rels/.rels': `<Relationships xmlns="${relationships}">${relationship}</Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${word}"><w:body>${paragraphs.join('')}${page}</w:body></w:document>`,
  };
  const files = Object.entries(parts).map(([path, xml]) => [path, strToU8(`${xmlHead}${xml}`)] as const);
  return zipSync(Object.fromEntries(files)) as Uint8Array<ArrayBuffer>;
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');
