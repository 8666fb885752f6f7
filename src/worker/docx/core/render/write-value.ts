import type { ValueHost } from '../nodes.ts';

const special = /[&<>\n\r\t]/;

/** A text as XML. In a Word run line ends become line breaks and tabs become tabs; elsewhere both become spaces. */
export function writeValue(text: string, host: ValueHost): string {
  if (!special.test(text)) return text;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  if (host === 'plain') return escaped.replace(/\r\n|[\n\r\t]/g, ' ');
  return escaped.replace(/\r\n|[\n\r]/g, lineBreak).replaceAll('\t', tab);
}

const lineBreak = '</w:t><w:br/><w:t xml:space="preserve">';
const tab = '</w:t><w:tab/><w:t xml:space="preserve">';
