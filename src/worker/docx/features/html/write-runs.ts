import { writeValue } from '../../core/render/write-value.ts';
import { linkEnd } from '../../core/styles/hyperlinks.ts';
import { type PropertyList, shadeProperty, toggleProperty, valueProperty } from '../../core/styles/property-list.ts';
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
    ...(bold === undefined ? {} : { b: toggleProperty('b', bold), bCs: toggleProperty('bCs', bold) }),
    ...(italic === undefined ? {} : { i: toggleProperty('i', italic), iCs: toggleProperty('iCs', italic) }),
    ...(strike === undefined ? {} : { strike: toggleProperty('strike', strike), dstrike: undefined }),
    ...(underline === undefined ? {} : { u: valueProperty('u', underline ? 'single' : 'none') }),
    ...(position === undefined ? {} : { vertAlign: valueProperty('vertAlign', position) }),
    ...(colour === undefined ? {} : { color: valueProperty('color', colour) }),
    ...(background === undefined ? {} : { shd: shadeProperty(background), highlight: undefined }),
    ...(sizeHalfPoints === undefined
      ? {}
      : { sz: valueProperty('sz', sizeHalfPoints), szCs: valueProperty('szCs', sizeHalfPoints) }),
    ...(isCode === true ? { rFonts: codeFonts } : {}),
  });
}

const codeFonts = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>';
