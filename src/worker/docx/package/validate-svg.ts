import { readAttributes, scanXml, scanXmlTags, textContent } from '@docmill/word/xml-tokens';
import { packageLimits } from '../limits.ts';
import { checkXml } from './check-xml.ts';
import { isPlainSvgDoctype } from './svg-content.ts';
import { checkSvgExpansion } from './svg-expansion.ts';
import { decodeXml } from './xml-text.ts';

/** `unsafe`: must not be rendered. `text`: safe to render in this form. */
export type PictureVerdict = 'safe' | 'unsafe' | { readonly text: string };

const activeElements = new Set(['script', 'foreignObject', 'include', 'iframe', 'embed', 'object', 'video', 'audio']);

/**
 * Checks that an unpacked SVG has no external references and no scripts. A file with another root element is unsafe. Throws
 * when it is not well-formed, contains a DTD with entities, exceeds the limits, or draws too much by reference.
 */
export function validateSvg(svg: Buffer, name: string): PictureVerdict {
  const budget = { elements: packageLimits.maxXmlElements, attributes: packageLimits.maxXmlElements };
  checkXml(svg, name, { limits: packageLimits, budget, allowsDoctype: isPlainSvgDoctype });
  const source = decodeXml(svg, name);
  checkSvgExpansion(source, name);
  let text = source;
  let isStyled = false;
  scanXml(
    source,
    () => undefined,
    ({ kind, start, end }) => {
      if (kind === 'doctype') text = source.slice(0, start) + source.slice(end);
      if (kind === 'instruction') isStyled ||= /^<\?xml-stylesheet/i.test(source.slice(start, end));
    },
  );
  // Readers join a style sheet's text, regardless of how references, CDATA and comments divide it.
  if (isStyled || reachesOutside(text) || reachesOutside(textContent(text))) return 'unsafe';
  let isSafe = true;
  let root: string | undefined;
  scanXmlTags(text, (tag) => {
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

function reachesOutside(text: string): boolean {
  return /@import/i.test(text) || hasOutsideUrl(text);
}

function hasOutsideUrl(text: string): boolean {
  for (const [, target = ''] of text.matchAll(/url\(\s*(?:&quot;|&apos;|["'])?([^)"'&]*)/gi)) {
    if (!isSafeReference(target)) return true;
  }
  return false;
}

/** A location in the same picture, or an inline bitmap that is not markup: readers trust content, not declared types. */
function isSafeReference(reference: string): boolean {
  const target = reference.trim();
  if (target === '' || target.startsWith('#')) return true;
  const inline = /^data:image\/(?:png|jpe?g);base64,([\s\S]*)$/i.exec(target)?.[1];
  if (inline === undefined) return false;
  const head = Buffer.from(inline.slice(0, 256), 'base64');
  return (head[0] === 0x89 && head[1] === 0x50) || (head[0] === 0xff && head[1] === 0xd8);
}
