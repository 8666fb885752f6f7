import { compile } from 'html-to-text';

const maxConvertedLength = 100_000;
const elements =
  'html|head|body|style|title|meta|p|div|span|br|hr|a|b|i|u|em|strong|small|code|pre|blockquote|center|font|img|h[1-6]|ul|ol|li|dl|table|tbody|thead|tr|td|th|section|article|header|footer|main';
const opening = new RegExp(`^(?:<!doctype html|<!--|<(?:${elements})(?:\\s[^<>]*)?/?>)`, 'i');
const closing = new RegExp(`</(?:${elements})\\s{0,9}>|<(?:br|hr)\\s{0,9}/?>`, 'i');

/**
 * Whether a body is HTML: it starts with a doctype, a comment or the tag of a known element, or contains a closing tag
 * of one or a line break tag. Everything else is plain text, so that `a < b`, `<name@example.com>` and `List<T>` stay
 * unchanged.
 */
export function isHtml(body: string): boolean {
  return opening.test(body.trimStart()) || closing.test(body);
}

const convertHtml = compile({
  wordwrap: 78,
  limits: { maxDepth: 100, maxChildNodes: 20_000, maxInputLength: maxConvertedLength },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
  ],
});

/** The plain-text alternative of an HTML body: no images; links keep their address. */
export function htmlToPlainText(html: string): string {
  const text = convertHtml(html.slice(0, maxConvertedLength)).trim();
  return text === '' ? 'This message is best read in a mail program that shows HTML.' : text;
}
