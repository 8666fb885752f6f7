import type { PictureInline } from './blocks.ts';
import { readStyle } from './css-values.ts';
import { attribute, type DomElement } from './parse-html.ts';

const assetScheme = /^asset:/i;

/** The picture of an `img`; undefined for one that would have to be fetched. */
export function pictureOf(element: DomElement, link: string | undefined): PictureInline | undefined {
  const address = (attribute(element, 'src') ?? '').trim();
  const isAsset = assetScheme.test(address);
  if (!isAsset && !/^data:/i.test(address)) return undefined;
  const style = readStyle(attribute(element, 'style') ?? '');
  return {
    kind: 'picture',
    address,
    source: isAsset
      ? { kind: 'asset', name: decoded(address.replace(assetScheme, '')) }
      : { kind: 'bytes', text: address },
    width: style.get('width') ?? attribute(element, 'width'),
    height: style.get('height') ?? attribute(element, 'height'),
    // A character reference can be of a character that XML forbids.
    alt: (attribute(element, 'alt') ?? '').replace(/[\p{Cc}\ufffe\uffff]+/gu, ' '),
    link,
  };
}

/** The name of an asset without percent-encoding, which Markdown adds to spaces. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
