import type { TextFormat } from './blocks.ts';
import type { PropertyList } from './property-list.ts';

/** The run properties of the tag, changed as HTML asks. */
export function formatRun(base: PropertyList, format: TextFormat): PropertyList {
  const { bold, italic, underline, strike, position, colour, background, sizeHalfPoints, isCode } = format;
  const changes: Record<string, string | undefined> = {};
  if (bold !== undefined) Object.assign(changes, { b: toggle('b', bold), bCs: toggle('bCs', bold) });
  if (italic !== undefined) Object.assign(changes, { i: toggle('i', italic), iCs: toggle('iCs', italic) });
  if (strike !== undefined) Object.assign(changes, { strike: toggle('strike', strike), dstrike: undefined });
  if (underline !== undefined) changes['u'] = `<w:u w:val="${underline ? 'single' : 'none'}"/>`;
  if (position !== undefined) changes['vertAlign'] = `<w:vertAlign w:val="${position}"/>`;
  if (colour !== undefined) changes['color'] = `<w:color w:val="${colour}"/>`;
  if (background !== undefined)
    Object.assign(changes, {
      shd: `<w:shd w:val="clear" w:color="auto" w:fill="${background}"/>`,
      highlight: undefined,
    });
  if (sizeHalfPoints !== undefined) {
    changes['sz'] = `<w:sz w:val="${sizeHalfPoints}"/>`;
    changes['szCs'] = `<w:szCs w:val="${sizeHalfPoints}"/>`;
  }
  if (isCode === true) changes['rFonts'] = codeFonts;
  return base.with(changes);
}

const codeFonts = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>';

function toggle(name: string, isOn: boolean): string {
  return isOn ? `<w:${name}/>` : `<w:${name} w:val="0"/>`;
}

/** As a link looks: in the character style of the template, else blue and underlined as in Word. */
export function linkRun(base: PropertyList, styleId: string | undefined): PropertyList {
  if (styleId !== undefined)
    return base.with({ rStyle: `<w:rStyle w:val="${styleId}"/>`, color: undefined, u: undefined });
  return base.with({ color: '<w:color w:val="0563C1"/>', u: '<w:u w:val="single"/>' });
}
