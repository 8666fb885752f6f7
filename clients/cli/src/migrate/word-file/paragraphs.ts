import type { Document, Element, Node } from '@xmldom/xmldom';

/** A paragraph, or a document property: text in which a tag begins and ends. */
export interface Paragraph {
  readonly element: Element;
  /**
   * The text of all runs. A tab is `\t`, a line break `
   * `.
   */
  readonly text: string;
  /** Whether it is a copy for older programs of text elsewhere in the part. */
  readonly isFallback: boolean;
  readonly pieces: readonly Piece[];
}

/** A text element or a break, with its position in the paragraph's text. */
interface Piece {
  readonly element: Element;
  readonly start: number;
  readonly text: string;
  readonly isText: boolean;
}

export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const paragraphNames = new Set(['w:p', 'a:p']);
const textNames = new Set(['w:t', 'a:t', 'm:t']);
const breakTexts: Readonly<Record<string, string>> = {
  'w:tab': '\t',
  'w:br': '\n',
  'w:cr': '\n',
  'a:br': '\n',
  'w:noBreakHyphen': '-',
};
/** These contain property names, which are not text of the author. */
const propertyParts = new Set(['cp:coreProperties', 'Properties']);

interface OpenParagraph {
  readonly element: Element;
  readonly pieces: Piece[];
  text: string;
}

/** The paragraphs of a part, in the order of their beginnings. Those of text boxes are separate. */
export function readParagraphs(document: Document): readonly Paragraph[] {
  const root = document.documentElement;
  if (root === null) return [];
  const found: (OpenParagraph & { readonly isFallback: boolean })[] = [];
  const isProperties = propertyParts.has(root.nodeName);
  const visit = (node: Node, open: OpenParagraph | undefined, isFallback: boolean): void => {
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (!isElement(child)) continue;
      const name = child.nodeName;
      if (paragraphNames.has(name) || (isProperties && isLeaf(child))) {
        const paragraph = { element: child, pieces: [], text: '', isFallback };
        found.push(paragraph);
        if (isProperties) addPiece(paragraph, child, child.textContent ?? '', true);
        else visit(child, paragraph, isFallback);
      } else if (open !== undefined && textNames.has(name)) addPiece(open, child, child.textContent ?? '', true);
      else if (open !== undefined && isBreak(child)) addPiece(open, child, breakTexts[name] ?? '', false);
      else visit(child, open, isFallback || name === 'mc:Fallback');
    }
  };
  visit(root, undefined, false);
  return found;
}

function addPiece(paragraph: OpenParagraph, element: Element, text: string, isText: boolean): void {
  paragraph.pieces.push({ element, start: paragraph.text.length, text, isText });
  paragraph.text += text;
}

/** Tab stops in paragraph properties have the same element name as tabs in text. */
function isBreak(element: Element): boolean {
  return Object.hasOwn(breakTexts, element.nodeName) && element.parentNode?.nodeName.endsWith(':r') === true;
}

function isLeaf(element: Element): boolean {
  for (let child = element.firstChild; child !== null; child = child.nextSibling) if (isElement(child)) return false;
  return true;
}

export function isElement(node: Node | null): node is Element {
  return node !== null && node.nodeType === node.ELEMENT_NODE;
}

/**
 * Replaces ranges of a paragraph's text. The new text takes the formatting of the first character of its range; all
 * other text keeps its own. Several texts for one empty range keep the order of the list. Overlapping ranges are cut.
 */
export function editParagraph({ pieces, text }: Paragraph, edits: readonly TextEdit[]): void {
  const texts = pieces.filter(({ isText }) => isText);
  const ordered = edits.map((edit, place) => ({ ...edit, place }));
  ordered.sort((a, b) => a.start - b.start || a.end - b.end || a.place - b.place);
  const out = texts.map(() => '');
  let at = 0;
  let piece = 0;
  const copyUntil = (end: number): void => {
    for (let i = piece; i < texts.length; i++) {
      const { start = 0, text: own = '' } = texts[i] ?? {};
      if (start >= end) break;
      out[i] += own.slice(Math.max(at - start, 0), Math.max(end - start, 0));
      if (start <= end) piece = i;
    }
    at = Math.max(at, end);
  };
  for (const { start, end, text: added } of ordered) {
    copyUntil(Math.max(start, at));
    while (piece + 1 < texts.length && (texts[piece + 1]?.start ?? 0) <= start) piece += 1;
    out[piece] += added;
    at = Math.max(at, end);
  }
  copyUntil(text.length);
  for (const [i, { element, text: before }] of texts.entries()) {
    if (out[i] === before) continue;
    element.textContent = out[i] ?? '';
    if (element.nodeName === 'w:t') element.setAttribute('xml:space', 'preserve');
  }
  removeBreaks(pieces, ordered);
}

/** Removes the breaks within replaced ranges. */
function removeBreaks(pieces: readonly Piece[], edits: readonly TextEdit[]): void {
  for (const { element, start, isText } of pieces) {
    const isReplaced = !isText && edits.some((edit) => edit.start <= start && edit.end > start);
    if (isReplaced) element.parentNode?.removeChild(element);
  }
}
