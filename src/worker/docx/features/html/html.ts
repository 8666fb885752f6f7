import type { Feature, NodeReader, ScannedText } from '../../core/feature.ts';
import { pageSpace, SpaceReader } from '../../core/pictures/available-space.ts';
import { checkExpression, type ExpressionProblem } from '../../language/expressions/parse-tag-text.ts';
import { prefixProblem } from '../../language/tag.ts';
import { expressionOfHtml, extractHtml, isHtmlPiece, readHtmlTag } from './extract-html.ts';
import { htmlNode, replacedParagraphs } from './html-node.ts';
import { separateHtml } from './separate-html.ts';

const prefix = '~';

/** `{~html}` and `{~md:markdown}`: formatted text from the data as Word paragraphs, lists and tables. */
export const html: Feature = {
  name: 'html',
  tag: { prefix, isExpression: true, expressionOf: expressionOfHtml, check },
  openPart: () => ({
    extract: (pieces, part) =>
      pieces.some(isHtmlPiece) ? extractHtml(pieces, part.parser, spaceReader(part)) : pieces,
    readNodes: (part) => (part.tags.some(({ syntax }) => syntax?.prefix === prefix) ? readHtml(part) : {}),
    finish: (state) => separateHtml(state.output.pieces, replacedParagraphs(state)),
  }),
};

function readHtml(part: ScannedText): NodeReader {
  const { parser } = part;
  const reader = spaceReader(part);
  return {
    prefix,
    read: (xml) => reader.read(xml),
    build: (tag, around) =>
      htmlNode({ ...readHtmlTag(tag, parser), ...around, paragraph: undefined, space: reader.space }),
  };
}

function spaceReader({ mainXml }: ScannedText): SpaceReader {
  return new SpaceReader(pageSpace(mainXml));
}

function check(text: string): ExpressionProblem | undefined {
  const message = text.startsWith(prefix) ? 'HTML tags start with one ~' : prefixProblem(text);
  return message === undefined ? checkExpression(text) : { message };
}
