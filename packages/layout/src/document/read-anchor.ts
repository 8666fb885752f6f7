import { UnknownFeature } from '../unknown-feature.ts';
import { emuLength } from './emu-length.ts';
import { allowAttributes, childOf, type XmlElement } from './xml-element.ts';

const horizontalFrames = ['page', 'margin', 'column', 'leftMargin', 'rightMargin'] as const;
const verticalFrames = ['page', 'margin', 'paragraph', 'line', 'topMargin', 'bottomMargin'] as const;
const horizontalSides = ['left', 'center', 'right'] as const;
const verticalSides = ['top', 'center', 'bottom'] as const;

/** The position of a picture relative to a frame of its page: twips from the left or upper edge, or an alignment. */
export interface Position<Frame, Side> {
  readonly from: Frame;
  readonly at: number | Side;
}

/** The distance of text from a picture. */
export interface Wrap {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Extra space on each side for effects, such as a shadow. */
  readonly effects: number;
}

/** The placement of an anchored picture (ECMA-376 part 1, 20.4.2.3). */
export interface Anchor {
  readonly horizontal: Position<(typeof horizontalFrames)[number], (typeof horizontalSides)[number]>;
  readonly vertical: Position<(typeof verticalFrames)[number], (typeof verticalSides)[number]>;
  readonly isBehindText: boolean;
  /** Pictures with larger numbers cover others. Undefined where LibreOffice uses another order. */
  readonly relativeHeight: number | undefined;
  /** Whether it is positioned within the cell that contains it. */
  readonly staysInCell: boolean;
  /** Undefined for a picture without text wrapping. */
  readonly wrap: Wrap | undefined;
}

/** LibreOffice treats larger values, and a missing one, specially (`GraphicZOrderHelper`). */
const mostHeight = 0x1dff_ffff;

/** Text wraps on the left and right, or only above and below (20.4.2.17, 20.4.2.20). */
const wraps = ['wp:wrapSquare', 'wp:wrapTopAndBottom'] as const;

/**
 * Reads the attributes and positions of a `wp:anchor`. Text wrapping is not allowed in the body. Throws UnknownFeature.
 */
export function readAnchor(frame: XmlElement, isInBody: boolean): Anchor {
  const isOn = (name: string, otherwise: boolean): boolean => {
    const value = frame.attributes.get(name);
    return value === undefined ? otherwise : value === '1' || value === 'true';
  };
  const wrap = wraps.map((name) => childOf(frame, name)).find((child) => child !== undefined);
  const isKnown = wrap !== undefined || childOf(frame, 'wp:wrapNone') !== undefined;
  if (frame.name !== 'wp:anchor' || !isKnown || isOn('simplePos', true))
    throw new UnknownFeature(`${frame.name} with text around it`);
  if (wrap !== undefined && isInBody) throw new UnknownFeature(wrap.name);
  if (isOn('hidden', false)) throw new UnknownFeature('a hidden picture');
  if (!isOn('allowOverlap', true)) throw new UnknownFeature('a picture that makes room for others');
  const height = Number(frame.attributes.get('relativeHeight'));
  const horizontal = readPosition(frame, 'wp:positionH', horizontalFrames, horizontalSides);
  const vertical = readPosition(frame, 'wp:positionV', verticalFrames, verticalSides);
  if (vertical.at === 'center' || vertical.at === 'bottom') {
    // LibreOffice measures from different edges of paragraphs and lines.
    const isOfText = vertical.from === 'paragraph' || vertical.from === 'line';
    // The centre that LibreOffice uses depends on the paragraph.
    const isInTopMargin = vertical.from === 'topMargin' && vertical.at === 'center';
    if (isOfText || isInTopMargin) throw new UnknownFeature(`a picture at the ${vertical.at} of its ${vertical.from}`);
  }
  return {
    horizontal,
    vertical,
    isBehindText: isOn('behindDoc', false),
    relativeHeight: height > 0 && height <= mostHeight ? height : undefined,
    staysInCell: isOn('layoutInCell', true),
    wrap: wrap && readWrap(frame, wrap, typeof horizontal.at !== 'number' || typeof vertical.at !== 'number'),
  };
}

function readWrap(frame: XmlElement, wrap: XmlElement, isAligned: boolean): Wrap {
  allowAttributes(wrap, 'wrapText');
  if (wrap.children.length > 0) throw new UnknownFeature(`${wrap.name} with its own distances`);
  const distance = (side: string): number => Math.max(0, emuLength(frame.attributes.get(`dist${side}`) ?? '0'));
  const extent = childOf(frame, 'wp:effectExtent');
  const effects = Math.max(0, ...[...(extent?.attributes.values() ?? [])].map(emuLength));
  if (isAligned && effects > 0) throw new UnknownFeature('an aligned picture with effects and text around it');
  return { left: distance('L'), right: distance('R'), top: distance('T'), bottom: distance('B'), effects };
}

function readPosition<Frame extends string, Side extends string>(
  anchor: XmlElement,
  name: string,
  frames: readonly Frame[],
  sides: readonly Side[],
): Position<Frame, Side> {
  const position = childOf(anchor, name);
  const relativeFrom = position?.attributes.get('relativeFrom');
  const from = frames.find((one) => one === relativeFrom);
  const [place] = position?.children ?? [];
  if (from === undefined || place === undefined || position?.children.length !== 1)
    throw new UnknownFeature(`${name} ${relativeFrom ?? ''}`.trim());
  if (place.name === 'wp:posOffset') return { from, at: emuLength(place.text) };
  const at = sides.find((one) => one === place.text.trim());
  if (place.name !== 'wp:align' || at === undefined) throw new UnknownFeature(`${name} ${place.text.trim()}`.trim());
  return { from, at };
}
