import { readAttributes, scanXmlTags, type XmlAttribute } from '@docmill/word/xml-tokens';

/** Above these limits, LibreOffice takes tens of seconds to draw a picture, or crashes. */
const limits = { tiles: 20_000, pathChars: 1_000_000, textOnPathChars: 2_000 } as const;

/**
 * Whether LibreOffice may take too long to draw a small SVG that other programs draw quickly, because of tiny tiles,
 * repeated gradients, very long paths, or text along a path.
 */
export function isCostlySvg(svg: string): boolean {
  let pathChars = 0;
  let textStart = -1;
  let textChars = 0;
  let largest = 100;
  let isRepeated = false;
  const patterns: (readonly XmlAttribute[])[] = [];
  scanXmlTags(svg, (tag) => {
    if (tag.local === 'textPath') {
      if (tag.kind === 'open') textStart = tag.end;
      if (tag.kind === 'close' && textStart >= 0) textChars += tag.start - textStart;
    }
    if (tag.kind === 'close') return;
    const attributes = readAttributes(svg, tag);
    if (tag.local === 'pattern') patterns.push(attributes);
    for (const { local, value } of attributes) {
      if (local === 'd' || local === 'points') pathChars += value.length;
      if (sizes.has(local)) largest = Math.max(largest, largestNumber(value));
      isRepeated ||= local === 'spreadMethod' && /repeat|reflect/i.test(value);
    }
  });
  const tiles = patterns.reduce((sum, attributes) => sum + tilesOf(attributes, largest), 0);
  return isRepeated || tiles > limits.tiles || pathChars > limits.pathChars || textChars > limits.textOnPathChars;
}

const sizes = new Set(['width', 'height', 'viewBox', 'r', 'rx', 'ry', 'x2', 'y2', 'd', 'points']);

/** An upper bound on the tiles that cover a shape as large as the largest number in the picture. */
function tilesOf(attributes: readonly XmlAttribute[], largest: number): number {
  const textOf = (local: string) => attributes.find((attribute) => attribute.local === local)?.value;
  const isOwnUnits = textOf('patternUnits') === 'userSpaceOnUse';
  const extent = isOwnUnits ? largest : 1;
  const side = (local: string) => {
    const text = textOf(local) ?? '';
    const size = Math.abs(Number.parseFloat(text)) * (text.includes('%') ? (isOwnUnits ? largest : 1) / 100 : 1);
    return size > 0 ? extent / size : 0;
  };
  return (side('width') * side('height')) / scaleOf(textOf('patternTransform') ?? '');
}

/** The factor by which a transform enlarges an area. */
function scaleOf(transform: string): number {
  let scale = 1;
  for (const [, kind, list = ''] of transform.matchAll(/(scale|matrix)\s*\(([^)]*)\)/gi)) {
    const [a = 1, b = a, c = 0, d = 1] = numbersIn(list);
    scale *= Math.abs(kind?.toLowerCase() === 'scale' ? a * b : a * d - b * c);
  }
  return scale > 0 ? scale : 1;
}

function largestNumber(text: string): number {
  return numbersIn(text.slice(0, 100_000)).reduce((largest, number) => Math.max(largest, Math.abs(number)), 0);
}

function numbersIn(text: string): number[] {
  return (text.match(/-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number).filter(Number.isFinite);
}
