import type { Feature } from '../../core/feature.ts';
import { checkExpression, type ExpressionProblem } from '../../language/expressions/parse-tag-text.ts';
import { prefixProblem } from '../../language/tag.ts';
import { extractHtml, isHtmlPiece, readHtmlTag } from './extract-html.ts';
import { htmlNode, replacedParagraphs } from './html-node.ts';
import { separateHtml } from './separate-html.ts';

const prefix = '~';

/** `{~html}`: HTML from the data as Word paragraphs, lists and tables. */
export const html: Feature = {
  name: 'html',
  tag: { prefix, isExpression: true, check },
  openPart: () => ({
    extract: (pieces, { parser }) => (pieces.some(isHtmlPiece) ? extractHtml(pieces, parser) : pieces),
    readNodes: ({ parser }) => ({
      prefix,
      build: (tag, around) => htmlNode({ ...readHtmlTag(tag, parser), ...around, paragraph: undefined }),
    }),
    finish: (state) => separateHtml(state.output.pieces, replacedParagraphs(state)),
  }),
};

function check(text: string): ExpressionProblem | undefined {
  const message = text.startsWith(prefix) ? 'HTML tags start with one ~' : prefixProblem(text);
  return message === undefined ? checkExpression(text) : { message };
}
