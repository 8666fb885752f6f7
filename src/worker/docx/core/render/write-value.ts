import { escapeText } from '@docmill/word/escape-xml';
import type { ValueHost } from '../value-node.ts';

const special = /[&<>\n\r\t\u2029]/;

/**
 * Escapes a string as XML. In a Word run, newlines and tabs become Word's breaks and tabs; elsewhere both become
 * spaces.
 */
export function writeValue(text: string, host: ValueHost): string {
  if (!special.test(text)) return text;
  const escaped = escapeText(text);
  if (host === 'plain') return escaped.replace(/\r\n|[\n\r\t\u2029]/g, ' ');
  return escaped.replace(/\r\n|[\n\r]/g, lineBreak).replaceAll('\t', tab);
}

/** A line break inside a text element of a Word run. */
export const lineBreak = '</w:t><w:br/><w:t xml:space="preserve">';
const tab = '</w:t><w:tab/><w:t xml:space="preserve">';

/** Elements that follow `w:highlight` in `w:rPr` (ECMA-376 part 1, 17.3.2). */
const later =
  /<(?:w:(?:u|effect|bdr|shd|fitText|vertAlign|rtl|cs|em|lang|eastAsianLayout|specVanish|oMath|rPrChange)\b|w\d+:)|<\/w:rPr>/;
const yellow = '<w:highlight w:val="yellow"/>';

/** Writes text in a separate yellow run with the same formatting, then reopens the surrounding run. */
function writeHighlighted(text: string, runProperties: string): string {
  const marked = highlight(runProperties);
  const around = `</w:t></w:r><w:r>${marked}<w:t xml:space="preserve">${writeValue(text, 'plain')}</w:t></w:r>`;
  return `${around}<w:r>${runProperties}<w:t xml:space="preserve">`;
}

function highlight(runProperties: string): string {
  const at = runProperties.search(later);
  if (at === -1) return `<w:rPr>${yellow}</w:rPr>`;
  const before = runProperties.slice(0, at).replace(/<w:highlight\b[^>]*>/, '');
  return `${before}${yellow}${runProperties.slice(at)}`;
}

/** Inserts runs into text and reopens the surrounding run. */
export function betweenRuns(runs: string, runProperties: string): string {
  return `</w:t></w:r>${runs}<w:r>${runProperties}<w:t xml:space="preserve">`;
}

/** Writes a tag whose value is missing, highlighted where possible. */
export function writeMissingTag(written: string, runProperties: string | undefined): string {
  return runProperties === undefined ? writeValue(written, 'plain') : writeHighlighted(written, runProperties);
}
