import { checkXml } from '../package/check-xml.ts';
import { type DocxPackage, defaultPackageLimits } from '../package/open-package.ts';
import { isPlainSvgDoctype, svgContent } from '../package/svg-content.ts';
import { readAttributes, scanTags } from '../package/xml-tags.ts';
import { decodeXml } from '../package/xml-text.ts';

/** `unsafe`: must not reach the converter; a text: may, in this form. */
export type PictureVerdict = 'safe' | 'unsafe' | { readonly text: string };

const headBytes = 64;
/** `<?xm` in EBCDIC. */
const ebcdicMarkup = Buffer.from('4c6fa794', 'hex');
const packedPostScript = Buffer.from('c5d0d3c6', 'hex');
const activeElements = new Set(['script', 'foreignObject', 'include', 'iframe', 'embed', 'object', 'video', 'audio']);

/**
 * Judges a part that is not XML by its name and type by its content: SVG may refer to files and hosts, PostScript is a
 * program, and LibreOffice reads any markup as a header or a style sheet when a relationship says so.
 */
export function judgePicture(docx: DocxPackage, name: string): PictureVerdict {
  const head = docx.readHead(name, headBytes) ?? Buffer.alloc(0);
  if (head.toString('latin1', 0, 2) === '%!' || head.subarray(0, 4).equals(packedPostScript)) return 'unsafe';
  try {
    const readAll = () => docx.read(name) ?? Buffer.alloc(0);
    const svg = svgContent({ name, head, readAll }, defaultPackageLimits.maxPartBytes);
    if (svg !== undefined) return judgeSvg(svg, name);
    return startsMarkup(head, readAll) ? 'unsafe' : 'safe';
  } catch {
    return 'unsafe';
  }
}

/**
 * Judges an unpacked SVG; what has another root is none. Throws when it is not well-formed, holds a DTD with entities, or is
 * too deep or large.
 */
export function judgeSvg(svg: Buffer, name: string): PictureVerdict {
  const budget = { elements: defaultPackageLimits.maxXmlElements, attributes: defaultPackageLimits.maxXmlElements };
  checkXml(svg, name, { limits: defaultPackageLimits, budget, allowsDoctype: isPlainSvgDoctype });
  const source = decodeXml(svg, name);
  const text = source.replace(/<!DOCTYPE[^>]*>/, '');
  if (/<\?xml-stylesheet|@import/i.test(text) || hasOutsideUrl(text)) return 'unsafe';
  let isSafe = true;
  let root: string | undefined;
  scanTags(text, (tag) => {
    root ??= tag.local;
    if (!isSafe || tag.kind === 'close') return;
    isSafe = root === 'svg' && !activeElements.has(tag.local) && readAttributes(text, tag).every(isSafeAttribute);
  });
  if (!isSafe) return 'unsafe';
  return text === source ? 'safe' : { text };
}

function isSafeAttribute({ name, local, value }: { name: string; local: string; value: string }): boolean {
  if (name === 'xml:base') return false;
  if (local === 'href' || local === 'src') return isSafeReference(value);
  return !hasOutsideUrl(value);
}

function hasOutsideUrl(text: string): boolean {
  for (const [, target = ''] of text.matchAll(/url\(\s*(?:&quot;|&apos;|["'])?([^)"'&]*)/gi)) {
    if (!isSafeReference(target)) return true;
  }
  return false;
}

/** A place in the same picture, or an inline bitmap whose bytes are no markup: readers go by content, not by the label. */
function isSafeReference(reference: string): boolean {
  const target = reference.trim();
  if (target === '' || target.startsWith('#')) return true;
  const inline = /^data:image\/(?:png|jpe?g);base64,([\s\S]*)$/i.exec(target)?.[1];
  if (inline === undefined) return false;
  const head = Buffer.from(inline.slice(0, 256), 'base64');
  return (head[0] === 0x89 && head[1] === 0x50) || (head[0] === 0xff && head[1] === 0xd8);
}

/** Whether an XML parser would read it, in any encoding that it finds by itself (XML 1.0, appendix F). */
function startsMarkup(head: Buffer, readAll: () => Buffer): boolean {
  if (head.subarray(0, 4).equals(ebcdicMarkup)) return true;
  const blank = /^(?:\xef\xbb\xbf|\0*\xff\xfe|\0*\xfe\xff)?[\0\t\n\r ]*/;
  const isAllBlank = head.length === headBytes && blank.exec(head.toString('latin1'))?.[0].length === headBytes;
  const text = (isAllBlank ? readAll() : head).toString('latin1');
  return text.replace(blank, '').startsWith('<');
}
