import type { RenderState } from '../../core/render/render-state.ts';
import { evaluate, noteMissing, noteProblem, printedText, writeXml } from '../../core/render/tag-value.ts';
import { writeHighlighted } from '../../core/render/write-highlighted.ts';
import { writeValue } from '../../core/render/write-value.ts';
import { PropertyList } from '../../core/styles/property-list.ts';
import type { Scope } from '../../language/scope.ts';
import { betweenRuns } from '../links/render-link.ts';
import type { HtmlNode, ReplacedParagraph } from './html-node.ts';
import { HtmlProblem } from './html-problem.ts';

/** Writes `{~html}`: as paragraphs and tables in place of its paragraph, else within the text. */
export function renderHtml(node: HtmlNode, scope: Scope, state: RenderState): void {
  state.budget.lookup(node.tag);
  if (node.mark !== undefined) state.output.mark(node.mark);
  const value = evaluate(node, scope, state);
  const isMissing = value === undefined;
  if (isMissing) noteMissing(node, scope, state);
  const isShown = isMissing && state.onMissing === 'highlight';
  const text = isMissing ? '' : printedText(node, value, scope, state);
  if (text === undefined) return;
  try {
    if (node.paragraph !== undefined) writeParagraphs(node, node.paragraph, text, isShown, state);
    else if (isShown) writeXml(highlighted(node), node, state);
    else if (text !== '') writeXml(withinText(node, text, state), node, state);
  } catch (error) {
    if (!(error instanceof HtmlProblem)) throw error;
    noteProblem(node, error.problem, scope, state);
  }
}

function highlighted({ tag, runProperties }: HtmlNode): string {
  const written = `{${tag}}`;
  return runProperties === undefined ? writeValue(written, 'plain') : writeHighlighted(written, runProperties);
}

function withinText({ runProperties, mayLink }: HtmlNode, html: string, { rich, partName }: RenderState): string {
  if (runProperties === undefined) return writeValue(rich.text(html), 'plain');
  return betweenRuns(rich.runs(html, { partName, runProperties, mayLink }), runProperties);
}

function writeParagraphs(
  node: HtmlNode,
  paragraph: ReplacedParagraph,
  html: string,
  isShown: boolean,
  state: RenderState,
): void {
  const { output, rich, partName, budget } = state;
  const { before, after } = paragraph;
  const { mayLink, runProperties = '' } = node;
  const properties = PropertyList.parse('w:pPr', paragraph.properties).without('sectPr', 'pPrChange').toXml();
  const place = { partName, runProperties, mayLink };
  const start = output.pieces.length;
  const { pieces, ...ends } = rich.blocks(html, place, paragraph.properties, (xml) =>
    budget.write(xml.length, node.tag),
  );
  if (isShown) {
    const run = `<w:r>${runProperties}<w:t xml:space="preserve">${highlighted(node)}</w:t></w:r>`;
    writeXml(`<w:p>${properties}${before}${run}${after}</w:p>`, node, state);
  } else if (pieces.length === 0 && before + after !== '') {
    writeXml(`<w:p>${properties}${before}${after}</w:p>`, node, state);
  } else output.pieces.push(before, ...pieces, after);
  const isEmpty = pieces.length === 0 && before + after === '' && !isShown;
  output.html.push({ start, end: output.pieces.length, isEmpty, ...ends, emptyParagraph: `<w:p>${properties}</w:p>` });
}
