import { writeValue } from '../../core/render/write-value.ts';
import { linkEnd } from '../../core/styles/hyperlinks.ts';
import {
  type PropertyList,
  shadeProperty,
  styleProperty,
  toggleProperty,
  valueProperty,
} from '../../core/styles/property-list.ts';
import type { Inline, PictureInline, TextFormat, TextInline } from './blocks.ts';
import { rtlLetter } from './text-format.ts';

export interface LinkWriter {
  /** The opening tag of a link to `url`; undefined where no link is allowed. */
  open(url: string): string | undefined;
  /** The properties of a run in a link. */
  runProperties(base: PropertyList): PropertyList;
}

export interface RunOptions {
  readonly links: LinkWriter;
  /** Writes a picture as a child of a run. */
  readonly writePicture: (picture: PictureInline) => string;
  /** The character style for code; undefined if the template has none. */
  readonly codeStyleId: string | undefined;
}

/** Writes the runs of a paragraph. Neighbours with the same address share a link. */
export function writeRuns(content: readonly Inline[], base: PropertyList, options: RunOptions): string {
  const { links, writePicture } = options;
  const pieces: string[] = [];
  let address: string | undefined;
  let isLinked = false;
  for (const inline of content) {
    const link = linkAround(inline, address);
    if (link !== address) {
      if (isLinked) pieces.push(linkEnd);
      const open = link === undefined ? undefined : links.open(link);
      isLinked = open !== undefined;
      if (open !== undefined) pieces.push(open);
      address = link;
    }
    if (inline.kind === 'break') pieces.push(`<w:r>${base.toXml()}<w:br/></w:r>`);
    else if (inline.kind === 'picture') pieces.push(`<w:r>${base.toXml()}${writePicture(inline)}</w:r>`);
    else pieces.push(textRun(inline, isLinked ? links.runProperties(base) : base, options));
  }
  if (isLinked) pieces.push(linkEnd);
  return pieces.join('');
}

/** The link around the run of an inline. A picture contains its own link. */
function linkAround(inline: Inline, before: string | undefined): string | undefined {
  if (inline.kind === 'break') return before;
  return inline.kind === 'text' ? inline.link : undefined;
}

function textRun({ text, format, link }: TextInline, base: PropertyList, { codeStyleId }: RunOptions): string {
  const code = codeFormat(format, link === undefined ? codeStyleId : undefined);
  const properties = formatRun(base, format)
    .with({ ...code, ...directionFormat(text, format) })
    .toXml();
  return `<w:r>${properties}<w:t xml:space="preserve">${writeValue(text, 'run')}</w:t></w:r>`;
}

/** The run properties of the tag with the HTML format applied. */
function formatRun(base: PropertyList, format: TextFormat): PropertyList {
  const { bold, italic, underline, strike, position, colour, background, sizeHalfPoints } = format;
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
  });
}

type Changes = Readonly<Record<string, string | undefined>>;

function codeFormat({ isCode }: TextFormat, styleId: string | undefined): Changes {
  if (isCode !== true) return {};
  return styleId === undefined
    ? { rFonts: codeFonts }
    : { rFonts: undefined, rStyle: styleProperty(styleId, 'rStyle') };
}

/**
 * Marks runs from right to left, so that digits and punctuation are on the correct side. Latin text keeps its own
 * fonts.
 */
function directionFormat(text: string, { direction }: TextFormat): Changes {
  if (direction === undefined) return {};
  const isLatin = /\p{L}/u.test(text) && !rtlLetter.test(text);
  return { rtl: direction === 'rtl' && !isLatin ? toggleProperty('rtl', true) : undefined };
}

const codeFonts = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>';
