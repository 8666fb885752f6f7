import { UnknownFeature } from '../unknown-feature.ts';
import { contrastTexts } from './contrast-texts.ts';
import { emuLength } from './emu-length.ts';
import { type Anchor, readAnchor } from './read-anchor.ts';
import { requireKnownFrame } from './read-picture.ts';
import { readPictureFrame } from './read-picture-frame.ts';
import type { Block, Paragraph, TextBox } from './tree.ts';
import { childOf, type XmlElement } from './xml-element.ts';

/** Reads the blocks of a `w:txbxContent`. */
export type ReadBox = (content: XmlElement) => readonly Block[];

const shapes = 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape';
const alignments: Readonly<Record<string, TextBox['alignment']>> = { t: 'top', ctr: 'center', b: 'bottom' };
/** In twips: a narrower column of text is left to LibreOffice. */
const leastWidth = 300;

/** The attributes of a `wps:bodyPr` (ECMA-376 part 1, 21.1.2.1.1) whose usual values mean upright text in one column. */
const usualValues: Readonly<Record<string, RegExp>> = {
  rot: /^0$/,
  vert: /^horz$/,
  wrap: /^square$/,
  vertOverflow: /^overflow$/,
  horzOverflow: /^overflow$/,
  numCol: /^1$/,
  spcCol: /^\d+$/,
  rtlCol: /^0$/,
  fromWordArt: /^0$/,
  anchorCtr: /^0$/,
  forceAA: /^0$/,
  compatLnSpc: /^[01]$/,
  spcFirstLastPara: /^0$/,
  upright: /^0$/,
  anchor: /^(?:t|ctr|b)$/,
  lIns: /./,
  tIns: /./,
  rIns: /./,
  bIns: /./,
};

/** The shape in a `w:drawing`; undefined for a picture or another kind of drawing. */
export function shapeIn(drawing: XmlElement): XmlElement | undefined {
  const [frame] = drawing.children;
  const graphic = frame && childOf(frame, 'a:graphic');
  const data = graphic && childOf(graphic, 'a:graphicData');
  return data?.attributes.get('uri') === shapes ? childOf(data, 'wps:wsp') : undefined;
}

/** Reads an anchored rectangle with paragraphs ([MS-ODRAWXML] 2.9.1). Throws UnknownFeature for any other shape. */
export function readTextBox(
  drawing: XmlElement,
  shape: XmlElement,
  readBox: ReadBox | undefined,
): TextBox & { readonly anchor: Anchor } {
  const [frame] = drawing.children;
  if (frame?.name !== 'wp:anchor') throw new UnknownFeature('a text box in a line of text');
  if (readBox === undefined) throw new UnknownFeature('a text box outside of the text');
  requireKnownFrame(frame, isShare);
  const share = shareOf(frame);
  const extent = childOf(frame, 'wp:extent');
  const [width, height] = ['cx', 'cy'].map((name) => emuLength(extent?.attributes.get(name)));
  const [properties, body, content] = ['wps:spPr', 'wps:bodyPr', 'wps:txbx'].map((name) => childOf(shape, name));
  const text = content && childOf(content, 'w:txbxContent');
  if (text === undefined || properties === undefined || body === undefined)
    throw new UnknownFeature('a shape without text');
  if (childOf(shape, 'wps:style') !== undefined) throw new UnknownFeature('a text box in a style of the theme');
  const ofFrame = readPictureFrame(properties);
  const ofBody = readBody(body);
  if (width === undefined || height === undefined || width - ofBody.insets.left - ofBody.insets.right < leastWidth)
    throw new UnknownFeature('a narrow text box');
  const blocks = contrastTexts(readBox(text), ofFrame?.fill).map(requireParagraph);
  if (share !== undefined && !ofBody.growsWithText) throw new UnknownFeature('a text box of a relative height');
  return { width, height, share, frame: ofFrame, ...ofBody, blocks, anchor: readAnchor(frame, true) };
}

/** A width in thousandths of a percent of the space between the margins, and a height, which growing boxes ignore. */
function isShare({ name, attributes }: XmlElement): boolean {
  return (name === 'wp14:sizeRelH' && attributes.get('relativeFrom') === 'margin') || name === 'wp14:sizeRelV';
}

function shareOf(frame: XmlElement): number | undefined {
  const size = childOf(frame, 'wp14:sizeRelH');
  const width = size && childOf(size, 'wp14:pctWidth');
  if (width === undefined || width.text.trim() === '0') return undefined;
  const share = Number(width.text) / 100_000;
  if (!(share >= 0.05 && share <= 1)) throw new UnknownFeature('the width of a text box');
  return share;
}

function readBody({ attributes, children }: XmlElement): Pick<TextBox, 'growsWithText' | 'insets' | 'alignment'> {
  for (const [name, value] of attributes)
    if (usualValues[name]?.test(value) !== true) throw new UnknownFeature(`${name} of a text box`);
  let growsWithText = false;
  for (const child of children) {
    if (child.name === 'a:spAutoFit') growsWithText = true;
    else if (child.name === 'a:prstTxWarp' && child.attributes.get('prst') === 'textNoShape') continue;
    else if (child.name !== 'a:noAutofit') throw new UnknownFeature(`${child.name} of a text box`);
  }
  const inset = (name: string, usual: string): number => emuLength(attributes.get(name) ?? usual);
  const insets = {
    left: inset('lIns', '91440'),
    right: inset('rIns', '91440'),
    top: inset('tIns', '45720'),
    bottom: inset('bIns', '45720'),
  };
  if (Math.min(...Object.values(insets)) < 0) throw new UnknownFeature('text over the edges of a text box');
  const alignment = alignments[attributes.get('anchor') ?? 't'] ?? 'top';
  return { growsWithText, insets, alignment };
}

/** Throws UnknownFeature for anything but text and inline pictures. LibreOffice counts the lists of text boxes first. */
function requireParagraph(block: Block): Paragraph {
  if (block.kind === 'table') throw new UnknownFeature('a table in a text box');
  if (block.format.numbering.id !== '0') throw new UnknownFeature('a list in a text box');
  if (block.anchored.length > 0) throw new UnknownFeature('something anchored in a text box');
  const { borderTop, borderBottom, borderLeft, borderRight, shading, breaksPageBefore } = block.format;
  if ((borderTop ?? borderBottom ?? borderLeft ?? borderRight ?? shading) !== undefined)
    throw new UnknownFeature('a paragraph with borders or shading in a text box');
  if (breaksPageBefore || block.inlines.some(({ kind }) => kind === 'page-break'))
    throw new UnknownFeature('a page break in a text box');
  return block;
}
