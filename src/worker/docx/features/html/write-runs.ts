import { writeValue } from '../../core/render/write-value.ts';
import { linkEnd } from '../../core/styles/hyperlinks.ts';
import type { PropertyList } from '../../core/styles/property-list.ts';
import type { Inline, TextFormat } from './blocks.ts';

export interface LinkWriter {
  /** The opening tag of a link to `url`; undefined where no link is allowed. */
  open(url: string): string | undefined;
  /** The properties of a run in a link. */
  runProperties(base: PropertyList): PropertyList;
}

/** Writes the runs of a paragraph. Neighbours with the same address share a link. */
export function writeRuns(content: readonly Inline[], base: PropertyList, links: LinkWriter): string {
  const pieces: string[] = [];
  let address: string | undefined;
  let isLinked = false;
  for (const inline of content) {
    const link = inline.kind === 'break' ? address : inline.link;
    if (link !== address) {
      if (isLinked) pieces.push(linkEnd);
      const open = link === undefined ? undefined : links.open(link);
      isLinked = open !== undefined;
      if (open !== undefined) pieces.push(open);
      address = link;
    }
    if (inline.kind === 'break') pieces.push(`<w:r>${base.toXml()}<w:br/></w:r>`);
    else pieces.push(textRun(inline.text, inline.format, isLinked ? links.runProperties(base) : base));
  }
  if (isLinked) pieces.push(linkEnd);
  return pieces.join('');
}

function textRun(text: string, format: TextFormat, base: PropertyList): string {
  const properties = formatRun(base, format).toXml();
  return `<w:r>${properties}<w:t xml:space="preserve">${writeValue(text, 'run')}</w:t></w:r>`;
}

/** The run properties of the tag with the HTML format applied. */
function formatRun(base: PropertyList, format: TextFormat): PropertyList {
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
