import { packageNamespaces } from '@docmill/word/namespaces';
import { readRelationships, relationshipsPartOf } from '@docmill/word/relationships';
import { themePartOf } from '@docmill/word/theme-fonts';
import { appendChild } from '../../package/append-child.ts';
import type { DocxPackage } from '../../package/open-package.ts';

const partName = 'word/theme/docmill-theme.xml';
const contentType = 'application/vnd.openxmlformats-officedocument.theme+xml';
const relationshipType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/theme';
const contentTypes = '[Content_Types].xml';

/** Matches elements that take their colours from the theme. */
const coloured = /schemeClr|themeColor|themeFill|\/chart"|drawingml\/2006\/chart|accent[1-6]/;

/** The colours of Word's own theme, Office 2013 to 2022. */
const colours: Readonly<Record<string, string>> = {
  dk1: '000000',
  lt1: 'FFFFFF',
  dk2: '44546A',
  lt2: 'E7E6E6',
  accent1: '4472C4',
  accent2: 'ED7D31',
  accent3: 'A5A5A5',
  accent4: 'FFC000',
  accent5: '5B9BD5',
  accent6: '70AD47',
  hlink: '0563C1',
  folHlink: '954F72',
};

/**
 * Parts that give a document without a theme the colours of Word's own one, if it names colours of a theme. LibreOffice
 * would print them without colour. The theme has no fonts, so that all text keeps its font.
 */
export function defaultTheme(docx: DocxPackage): ReadonlyMap<string, Buffer> {
  if (themePartOf(docx) !== undefined || docx.entry(partName) !== undefined || !namesColours(docx)) return new Map();
  const relsName = relationshipsPartOf(docx.mainPart);
  const [rels, types] = [docx.readText(relsName), docx.readText(contentTypes)];
  const typesName = docx.entry(contentTypes)?.name;
  if (rels === undefined || types === undefined || typesName === undefined) return new Map();
  const ids = new Set(readRelationships(rels).map(({ id }) => id));
  let id = 'rIdTheme';
  for (let i = 2; ids.has(id); i++) id = `rIdTheme${i}`;
  const relationship = `<Relationship Id="${id}" Type="${relationshipType}" Target="/${partName}"/>`;
  const override = `<Override PartName="/${partName}" ContentType="${contentType}"/>`;
  return new Map([
    [partName, Buffer.from(themeXml)],
    [
      docx.entry(relsName)?.name ?? relsName,
      Buffer.from(appendChild(rels, packageNamespaces.relationships, [relationship])),
    ],
    [typesName, Buffer.from(appendChild(types, packageNamespaces.contentTypes, [override]))],
  ]);
}

function namesColours(docx: DocxPackage): boolean {
  return docx.partNames.some(
    (name) => /\.xml$/i.test(name) && /^word\//i.test(name) && coloured.test(docx.readText(name) ?? ''),
  );
}

const scheme = Object.entries(colours).map(([name, rgb]) => `<a:${name}><a:srgbClr val="${rgb}"/></a:${name}>`);
const noFont = '<a:latin typeface=""/><a:ea typeface=""/><a:cs typeface=""/>';
const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
const line = `<a:ln w="6350">${fill}</a:ln>`;
const effect = '<a:effectStyle><a:effectLst/></a:effectStyle>';
const themeXml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Office"><a:themeElements><a:clrScheme name="Office">${scheme.join('')}</a:clrScheme><a:fontScheme name="Office"><a:majorFont>${noFont}</a:majorFont><a:minorFont>${noFont}</a:minorFont></a:fontScheme><a:fmtScheme name="Office"><a:fillStyleLst>${fill.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${line.repeat(3)}</a:lnStyleLst><a:effectStyleLst>${effect.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${fill.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;
