import { fonts, palette } from '../palette.ts';
import { xmlDeclaration } from './xml.ts';

const solid = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
const stroke = (widthEmu: number): string => `<a:ln w="${widthEmu}">${solid}<a:prstDash val="solid"/></a:ln>`;
const plainEffect = '<a:effectStyle><a:effectLst/></a:effectStyle>';
const typeface = (name: string): string => `<a:latin typeface="${name}"/><a:ea typeface=""/><a:cs typeface=""/>`;
const slot = (name: string, hex: string): string => `<a:${name}><a:srgbClr val="${hex}"/></a:${name}>`;

/** The theme part with the theme colours and theme fonts of these documents. */
export const themeXml = (): string =>
  [
    xmlDeclaration,
    '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Linden Works"><a:themeElements>',
    '<a:clrScheme name="Linden Works">',
    slot('dk1', palette.ink),
    slot('lt1', palette.white),
    slot('dk2', palette.green),
    slot('lt2', palette.mist),
    slot('accent1', palette.green),
    slot('accent2', palette.leaf),
    slot('accent3', palette.amber),
    slot('accent4', palette.muted),
    slot('accent5', palette.line),
    slot('accent6', palette.cream),
    slot('hlink', palette.green),
    slot('folHlink', palette.muted),
    '</a:clrScheme><a:fontScheme name="Linden Works">',
    `<a:majorFont>${typeface(fonts.heading)}</a:majorFont><a:minorFont>${typeface(fonts.body)}</a:minorFont>`,
    '</a:fontScheme><a:fmtScheme name="Linden Works">',
    `<a:fillStyleLst>${solid.repeat(3)}</a:fillStyleLst>`,
    `<a:lnStyleLst>${stroke(6350)}${stroke(12_700)}${stroke(19_050)}</a:lnStyleLst>`,
    `<a:effectStyleLst>${plainEffect.repeat(3)}</a:effectStyleLst>`,
    `<a:bgFillStyleLst>${solid.repeat(3)}</a:bgFillStyleLst>`,
    '</a:fmtScheme></a:themeElements></a:theme>',
  ].join('');
