import { fonts } from '../palette.ts';
import { escapeXml, xmlDeclaration } from './xml.ts';

const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const company = 'Linden Works';
const savedAt = '2026-01-05T09:00:00Z';

export function documentProperties(about: { title: string; subject: string; keywords: string }): string {
  return [
    xmlDeclaration,
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ',
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ',
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    `<dc:title>${escapeXml(about.title)}</dc:title><dc:subject>${escapeXml(about.subject)}</dc:subject>`,
    `<dc:creator>${company}</dc:creator><cp:keywords>${escapeXml(about.keywords)}</cp:keywords>`,
    `<cp:lastModifiedBy>${company}</cp:lastModifiedBy><cp:revision>1</cp:revision>`,
    `<dcterms:created xsi:type="dcterms:W3CDTF">${savedAt}</dcterms:created>`,
    `<dcterms:modified xsi:type="dcterms:W3CDTF">${savedAt}</dcterms:modified>`,
    '<dc:language>en-GB</dc:language></cp:coreProperties>',
  ].join('');
}

export const extendedProperties = (): string =>
  [
    xmlDeclaration,
    '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">',
    `<Template>Normal.dotm</Template><Application>Docmill examples</Application><Company>${company}</Company>`,
    '</Properties>',
  ].join('');

export function settings(has: { updateFields: boolean; hasFootnotes: boolean }): string {
  const footnoteSeparators = '<w:footnotePr><w:footnote w:id="-1"/><w:footnote w:id="0"/></w:footnotePr>';
  return [
    `${xmlDeclaration}<w:settings xmlns:w="${main}"><w:zoom w:percent="100"/>`,
    '<w:defaultTabStop w:val="720"/><w:characterSpacingControl w:val="doNotCompress"/>',
    has.updateFields ? '<w:updateFields w:val="true"/>' : '',
    has.hasFootnotes ? footnoteSeparators : '',
    '<w:compat>',
    '<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/>',
    '</w:compat><w:themeFontLang w:val="en-GB"/>',
    '<w:clrSchemeMapping w:bg1="light1" w:t1="dark1" w:bg2="light2" w:t2="dark2" w:accent1="accent1" ',
    'w:accent2="accent2" w:accent3="accent3" w:accent4="accent4" w:accent5="accent5" w:accent6="accent6" ',
    'w:hyperlink="hyperlink" w:followedHyperlink="followedHyperlink"/>',
    '<w:decimalSymbol w:val="."/><w:listSeparator w:val=","/></w:settings>',
  ].join('');
}

export function fontTable(): string {
  const font = (name: string, panose: string, family: string) =>
    `<w:font w:name="${name}"><w:panose1 w:val="${panose}"/><w:charset w:val="00"/><w:family w:val="${family}"/>` +
    '<w:pitch w:val="variable"/></w:font>';
  return [
    `${xmlDeclaration}<w:fonts xmlns:w="${main}">`,
    font(fonts.body, '020F0502020204030204', 'swiss'),
    font(fonts.heading, '02040503050406030204', 'roman'),
    '</w:fonts>',
  ].join('');
}
