import { readAttributes, scanXmlTags } from '@docmill/word/xml-tokens';
import { AppError } from '../../../shared/errors.ts';
import { readPicture } from '../core/pictures/formats/read-picture.ts';
import { emuPer } from '../core/pictures/length.ts';
import { openPicture } from '../core/pictures/open-picture.ts';
import { sizeAfter } from '../core/pictures/rotation.ts';
import { decodeXml } from '../package/xml-text.ts';

/** The result of inspecting an uploaded picture. */
export interface PictureReport {
  readonly type: 'png' | 'jpeg' | 'gif' | 'svg';
  /** Width of the upright picture; of an SVG, at 96 pixels per inch. */
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Checks that renders will accept the picture; draws an SVG. Throws `invalid_request` for the field `file`. */
export function inspectPicture(bytes: Buffer): PictureReport {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw rejected('is packed with gzip: send it unpacked');
  const reading = readPicture(bytes);
  if ('problem' in reading) throw rejected(reading.problem);
  const picture = openPicture(bytes);
  if ('problem' in picture) throw rejected(picture.problem);
  if (reading.type !== 'svg') {
    const { type, widthPx, heightPx } = reading;
    const upright = sizeAfter(picture.rotation, { width: widthPx, height: heightPx });
    return { type, widthPx: upright.width, heightPx: upright.height };
  }
  if (hasHandlers(bytes)) throw rejected('is an SVG with scripts: remove its event handlers (onload, onclick …)');
  const { width, height } = picture.natural;
  draw(picture.bitmap);
  return { type: 'svg', widthPx: Math.round(width / emuPer.px), heightPx: Math.round(height / emuPer.px) };
}

/** Renders ignore event handlers, but a browser that opens the stored file runs them. */
function hasHandlers(svg: Buffer): boolean {
  const text = decodeXml(svg, 'picture');
  let isFound = false;
  scanXmlTags(text, (tag) => {
    if (tag.kind !== 'close') isFound ||= readAttributes(text, tag).some(({ local }) => /^on[a-z]/i.test(local));
  });
  return isFound;
}

function draw(bitmap: (widthEmu: number) => unknown): void {
  try {
    bitmap(emuPer.cm);
  } catch {
    throw rejected('is an SVG that cannot be drawn');
  }
}

function rejected(message: string): AppError {
  return new AppError('invalid_request', `file: ${message}`, { details: [{ type: 'Field', path: 'file', message }] });
}
