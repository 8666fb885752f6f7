import type { FeatureNode } from '../../core/nodes.ts';
import type { Space } from '../../core/pictures/available-space.ts';
import { oncePerPart, oncePerRender, type RenderState } from '../../core/render/render-state.ts';
import { evaluate, noteMissing, noteProblem, printedText, writeXml, writtenTag } from '../../core/render/tag-value.ts';
import { betweenRuns, writeMissingTag, writeValue } from '../../core/render/write-value.ts';
import { PropertyList, separatorProperties } from '../../core/styles/property-list.ts';
import type { AskingNode } from '../../core/value-node.ts';
import type { Scope } from '../../language/scope.ts';
import { HtmlProblem } from './html-limits.ts';
import { RichContent, type RichText } from './rich-content.ts';
import type { WrittenHtml } from './separate-html.ts';

/** The paragraph that contains only HTML and is replaced by it. */
export interface ReplacedParagraph {
  /** Its `w:pPr`, empty without one. */
  readonly properties: string;
  /** Range marks, such as bookmarks, before and after the tag. */
  readonly before: string;
  readonly after: string;
}

/** `{~html}` or `{~md:markdown}` */
export interface HtmlTag extends AskingNode {
  readonly isMarkdown: boolean;
  /** The space available to its pictures. */
  readonly space: Space;
  /** The `w:rPr` of its run, empty without one; undefined outside Word runs, where it prints plain text. */
  readonly runProperties: string | undefined;
  /** Undefined for a tag within text. */
  readonly paragraph: ReplacedParagraph | undefined;
  /** Whether a link is allowed here. */
  readonly mayLink: boolean;
}

const richContent = oncePerRender((render) => new RichContent(render));

/** The places in the part where HTML replaced a paragraph. */
export const replacedParagraphs = oncePerPart((): WrittenHtml[] => []);

export function htmlNode(tag: HtmlTag): FeatureNode {
  const mark = tag.paragraph === undefined ? undefined : 'has-paragraph';
  return { kind: 'feature', asks: tag, mark, render: (scope, state) => renderHtml(tag, scope, state) };
}

/** Writes `{~html}` as paragraphs and tables in place of its paragraph, or inline within text. */
function renderHtml(node: HtmlTag, scope: Scope, state: RenderState): void {
  state.budget.lookup(node.tag);
  const value = evaluate(node, scope, state);
  const isMissing = value === undefined;
  if (isMissing) noteMissing(node, scope, state);
  const isShown = isMissing && state.onMissing === 'highlight';
  const text = isMissing ? '' : printedText(node, value, scope, state);
  if (text === undefined) return;
  const rich = { text, isMarkdown: node.isMarkdown, path: () => node.expression.locate(scope) };
  try {
    if (node.paragraph !== undefined) writeParagraphs(node, node.paragraph, rich, isShown, state);
    else if (isShown) writeXml(writeMissingTag(writtenTag(node, state), node.runProperties), node.tag, state);
    else if (text !== '') writeXml(withinText(node, rich, state), node.tag, state);
  } catch (error) {
    if (!(error instanceof HtmlProblem)) throw error;
    noteProblem(node, error.problem, scope, state);
  }
}

function withinText({ runProperties, mayLink, space }: HtmlTag, rich: RichText, state: RenderState): string {
  const content = richContent(state);
  const { partName } = state;
  if (runProperties === undefined) return writeValue(content.text(rich), 'plain');
  return betweenRuns(content.runs(rich, { partName, runProperties, mayLink, space: space.size }), runProperties);
}

function writeParagraphs(
  node: HtmlTag,
  paragraph: ReplacedParagraph,
  rich: RichText,
  isShown: boolean,
  state: RenderState,
): void {
  const { output, partName, budget } = state;
  const { before, after } = paragraph;
  const { mayLink, runProperties = '', space } = node;
  const kept = PropertyList.parse('w:pPr', paragraph.properties).without('sectPr', 'pPrChange');
  const properties = kept.toXml();
  const place = { partName, runProperties, mayLink, space: space.size };
  const start = output.pieces.length;
  const { pieces, ...ends } = richContent(state).blocks(rich, place, paragraph.properties, (xml) =>
    budget.write(xml.length, node.tag),
  );
  if (isShown) {
    const run = `<w:r>${runProperties}<w:t xml:space="preserve">${writeMissingTag(writtenTag(node, state), node.runProperties)}</w:t></w:r>`;
    writeXml(`<w:p>${properties}${before}${run}${after}</w:p>`, node.tag, state);
  } else if (pieces.length === 0 && before + after !== '') {
    writeXml(`<w:p>${properties}${before}${after}</w:p>`, node.tag, state);
  } else output.pieces.push(before, ...pieces, after);
  const isEmpty = pieces.length === 0 && before + after === '' && !isShown;
  replacedParagraphs(state).push({
    start,
    end: output.pieces.length,
    isEmpty,
    ...ends,
    emptyParagraph: `<w:p>${separatorProperties(kept).toXml()}</w:p>`,
  });
}
