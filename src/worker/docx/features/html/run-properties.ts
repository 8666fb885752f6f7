import type { PropertyList } from '../../core/styles/property-list.ts';
import type { TextFormat } from './blocks.ts';

/** The run properties of the tag, changed as HTML asks. */
export function formatRun(base: PropertyList, format: TextFormat): PropertyList {
  const { bold, italic, underline, strike, position, colour, background, sizeHalfPoints, isCode } = format;
  return base.with({
    ...(bold === undefined ? {} : { b: toggle('b', bold), bCs: toggle('bCs', bold) }),
    ...(italic === undefined ? {} : { i: toggle('i', italic), iCs: toggle('iCs', italic) }),
    ...(strike === undefined ? {} : { strike: toggle('strike', strike), dstrike: undefined }),
    ...(underline === undefined ? {} : { u: value('u', underline ? 'single' : 'none') }),
    ...(position === undefined ? {} : { vertAlign: value('vertAlign', position) }),
    ...(colour === undefined ? {} : { color: value('color', colour) }),
    ...(background === undefined ? {} : { shd: shade(background), highlight: undefined }),
    ...(sizeHalfPoints === undefined ? {} : { sz: value('sz', sizeHalfPoints), szCs: value('szCs', sizeHalfPoints) }),
    ...(isCode === true ? { rFonts: codeFonts } : {}),
  });
}

function value(name: string, val: string | number): string {
  return `<w:${name} w:val="${val}"/>`;
}

function shade(fill: string): string {
  return `<w:shd w:val="clear" w:color="auto" w:fill="${fill}"/>`;
}

const codeFonts = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>';

function toggle(name: string, isOn: boolean): string {
  return isOn ? `<w:${name}/>` : `<w:${name} w:val="0"/>`;
}

/** As a link looks: in the character style of the template, else blue and underlined as in Word. */
export function linkRun(base: PropertyList, styleId: string | undefined): PropertyList {
  if (styleId !== undefined) return base.with({ rStyle: value('rStyle', styleId), color: undefined, u: undefined });
  return base.with({ color: value('color', '0563C1'), u: value('u', 'single') });
}
