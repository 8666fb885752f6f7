import { writeValue } from './write-value.ts';

/** Elements that follow `w:highlight` in `w:rPr` (ECMA-376 part 1, 17.3.2). */
const later =
  /<(?:w:(?:u|effect|bdr|shd|fitText|vertAlign|rtl|cs|em|lang|eastAsianLayout|specVanish|oMath|rPrChange)\b|w\d+:)|<\/w:rPr>/;
const yellow = '<w:highlight w:val="yellow"/>';

/** A text in a yellow run of its own, with the formatting of the run around it, which goes on afterwards. */
export function writeHighlighted(text: string, runProperties: string): string {
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
