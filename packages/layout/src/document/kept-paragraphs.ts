import type { ParagraphContext } from './paragraph-context.ts';
import type { Paragraph } from './tree.ts';
import type { XmlElement } from './xml-element.ts';

/**
 * Everything besides its element that determines a paragraph of only text. Styles are shared by documents with the same
 * settings and lists.
 */
type Surroundings = Pick<ParagraphContext, 'styles' | 'autoSpacing' | 'tableParagraph' | 'tableRun' | 'yieldsToTable'>;

interface Kept extends Surroundings {
  readonly paragraph: Paragraph;
}

/** Paragraphs already read; garbage-collected with their elements. */
const kept = new WeakMap<XmlElement, Kept[]>();
/** An empty paragraph may occur in several tables. */
const mostSurroundings = 6;

const paragraphs = new WeakSet<Paragraph>();

/** Whether the same paragraph may occur again in other documents. */
export function isKept(paragraph: Paragraph): boolean {
  return paragraphs.has(paragraph);
}

export function keptParagraph(element: XmlElement, around: Surroundings): Paragraph | undefined {
  return kept.get(element)?.find((one) => isAlike(one, around))?.paragraph;
}

/** Keeps a paragraph if it is only text and has neither a list number nor an outline entry. */
export function keepParagraph(element: XmlElement, around: Surroundings, paragraph: Paragraph): void {
  if (paragraph.format.numbering.id !== '0' || paragraph.outline !== undefined || !isTextAlone(element)) return;
  const { styles, autoSpacing, tableParagraph, tableRun, yieldsToTable } = around;
  const known = kept.get(element) ?? [];
  if (known.length === mostSurroundings) known.shift();
  known.push({ styles, autoSpacing, tableParagraph, tableRun, yieldsToTable, paragraph });
  kept.set(element, known);
  paragraphs.add(paragraph);
}

const inParagraph: ReadonlySet<string> = new Set('w:pPr w:r w:bookmarkStart w:bookmarkEnd w:proofErr'.split(' '));
const inRun: ReadonlySet<string> = new Set('w:rPr w:t w:tab w:br w:lastRenderedPageBreak'.split(' '));

function isTextAlone({ children }: XmlElement): boolean {
  return children.every(
    ({ name, children: inner }) =>
      inParagraph.has(name) && (name !== 'w:r' || inner.every((child) => inRun.has(child.name))),
  );
}

function isAlike(one: Surroundings, other: Surroundings): boolean {
  return (
    one.styles === other.styles &&
    one.autoSpacing === other.autoSpacing &&
    one.yieldsToTable === other.yieldsToTable &&
    hasSameValues(one.tableParagraph, other.tableParagraph) &&
    hasSameValues(one.tableRun, other.tableRun)
  );
}

/** Each document reads its table formats into new objects. */
function hasSameValues(one: object | undefined, other: object | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  const [values, others] = [Object.entries(one), new Map(Object.entries(other))];
  return (
    values.length === others.size && values.every(([name, value]) => others.get(name) === value && others.has(name))
  );
}
