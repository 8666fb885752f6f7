import { breakInParagraph, endOfParagraph } from '../../language/text-marks.ts';
import { visitText } from './paragraph-text.ts';

/**
 * The text of a part in document order, still XML-escaped, with the runs of each paragraph joined. Each paragraph and
 * document property ends with `endOfParagraph`; line breaks and tabs become `breakInParagraph`.
 */
export function extractText(xml: string): string {
  const pieces: string[] = [];
  visitText(xml, {
    onText: (start, end) => pieces.push(xml.slice(start, end)),
    onBreak: () => pieces.push(breakInParagraph),
    onParagraphEnd: () => pieces.push(endOfParagraph),
  });
  return pieces.join('');
}
