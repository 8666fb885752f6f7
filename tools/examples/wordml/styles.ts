import { fonts, palette } from '../palette.ts';
import { type ParagraphStyle, paragraphStyles } from './paragraph-styles.ts';
import { tableStylesXml } from './table-styles.ts';
import { xmlDeclaration } from './xml.ts';

/** The styles that all example documents share. */
export const stylesXml = (): string =>
  [
    `${xmlDeclaration}<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">`,
    `<w:docDefaults><w:rPrDefault><w:rPr>${fontXml('body')}<w:color w:val="${palette.ink}"/>`,
    '<w:sz w:val="21"/><w:szCs w:val="21"/><w:lang w:val="en-GB" w:eastAsia="en-US" w:bidi="ar-SA"/></w:rPr>',
    '</w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="264" w:lineRule="auto"/></w:pPr>',
    '</w:pPrDefault></w:docDefaults>',
    '<w:latentStyles w:defLockedState="0" w:defUIPriority="99" w:defSemiHidden="0" w:defUnhideWhenUsed="0" ',
    'w:defQFormat="0" w:count="376"/>',
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>',
    ...paragraphStyles.map(paragraphStyleXml),
    characterStylesXml(),
    '<w:style w:type="numbering" w:default="1" w:styleId="NoList"><w:name w:val="No List"/>',
    '<w:uiPriority w:val="99"/><w:semiHidden/><w:unhideWhenUsed/></w:style>',
    tableStylesXml(),
    '</w:styles>',
  ].join('');

function fontXml(role: 'body' | 'heading'): string {
  const theme = role === 'body' ? 'minor' : 'major';
  return (
    `<w:rFonts w:ascii="${fonts[role]}" w:hAnsi="${fonts[role]}" ` +
    `w:asciiTheme="${theme}HAnsi" w:hAnsiTheme="${theme}HAnsi" w:cstheme="${theme}Bidi"/>`
  );
}

function paragraphStyleXml(style: ParagraphStyle): string {
  const flags = `<w:uiPriority w:val="${style.isBuiltIn === true ? 9 : 20}"/><w:qFormat/>`;
  return [
    `<w:style w:type="paragraph" ${style.isBuiltIn === true ? '' : 'w:customStyle="1" '}w:styleId="${style.id}">`,
    `<w:name w:val="${style.name}"/><w:basedOn w:val="${style.basedOn ?? 'Normal'}"/>`,
    style.next === undefined ? '' : `<w:next w:val="${style.next}"/>`,
    flags,
    `<w:pPr>${paragraphPropertiesXml(style)}</w:pPr><w:rPr>${runPropertiesXml(style)}</w:rPr></w:style>`,
  ].join('');
}

function paragraphPropertiesXml(style: ParagraphStyle): string {
  const points = (name: string, value: number | undefined) =>
    value === undefined ? '' : ` w:${name}="${Math.round(value * 20)}"`;
  const spacing =
    points('before', style.beforePt) +
    points('after', style.afterPt) +
    (style.line === undefined ? '' : ` w:line="${Math.round(style.line * 240)}" w:lineRule="auto"`);
  const indent = points('left', style.leftPt) + points('hanging', style.hangingPt);
  return [
    style.keepNext === true ? '<w:keepNext/>' : '',
    style.keepLines === true ? '<w:keepLines/>' : '',
    style.pageBreakBefore === true ? '<w:pageBreakBefore/>' : '',
    style.numbering === undefined
      ? ''
      : `<w:numPr><w:ilvl w:val="${style.numbering.level}"/><w:numId w:val="${style.numbering.id}"/></w:numPr>`,
    rules(style),
    style.tabs === undefined ? '' : `<w:tabs>${style.tabs}</w:tabs>`,
    spacing === '' ? '' : `<w:spacing${spacing}/>`,
    indent === '' ? '' : `<w:ind${indent}/>`,
    style.contextualSpacing === true ? '<w:contextualSpacing/>' : '',
    style.align === undefined ? '' : `<w:jc w:val="${style.align}"/>`,
    style.outlineLevel === undefined ? '' : `<w:outlineLvl w:val="${style.outlineLevel}"/>`,
  ].join('');
}

function rules(style: ParagraphStyle): string {
  const rule = (side: string, color: string | undefined) =>
    color === undefined ? '' : `<w:${side} w:val="single" w:sz="6" w:space="4" w:color="${color}"/>`;
  const edges = rule('top', style.ruleAbove) + rule('bottom', style.ruleBelow);
  return edges === '' ? '' : `<w:pBdr>${edges}</w:pBdr>`;
}

function runPropertiesXml(style: ParagraphStyle): string {
  return [
    style.font === undefined ? '' : fontXml(style.font),
    style.bold === undefined ? '' : `<w:b w:val="${style.bold ? 1 : 0}"/><w:bCs w:val="${style.bold ? 1 : 0}"/>`,
    style.italic === true ? '<w:i/><w:iCs/>' : '',
    style.caps === true ? '<w:caps/>' : '',
    style.color === undefined ? '' : `<w:color w:val="${style.color}"/>`,
    style.letterSpacingPt === undefined ? '' : `<w:spacing w:val="${Math.round(style.letterSpacingPt * 20)}"/>`,
    style.sizePt === undefined ? '' : `<w:sz w:val="${style.sizePt * 2}"/><w:szCs w:val="${style.sizePt * 2}"/>`,
  ].join('');
}

function characterStylesXml(): string {
  const style = (id: string, name: string, format: string) =>
    `<w:style w:type="character" w:styleId="${id}"><w:name w:val="${name}"/>` +
    `<w:basedOn w:val="DefaultParagraphFont"/><w:uiPriority w:val="22"/><w:qFormat/><w:rPr>${format}</w:rPr></w:style>`;
  return [
    '<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont">',
    '<w:name w:val="Default Paragraph Font"/><w:uiPriority w:val="1"/><w:semiHidden/><w:unhideWhenUsed/></w:style>',
    style('Strong', 'Strong', '<w:b/><w:bCs/>'),
    style('Hyperlink', 'Hyperlink', `<w:color w:val="${palette.green}"/><w:u w:val="single"/>`),
    style('FootnoteReference', 'footnote reference', '<w:vertAlign w:val="superscript"/>'),
  ].join('');
}
