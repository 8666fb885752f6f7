import { scanXml, tagName } from '@docmill/word/xml-tokens';
import type { DocxPackage } from '../package/open-package.ts';

/** Insertions: their content stays, only the tags around it are removed (ECMA-376 part 1, 17.13.5). */
const kept = new Set(['w:ins', 'w:moveTo']);
const removed = new Set(['w:del', 'w:moveFrom']);
/** Records of former properties, and range marks of changes. */
const record =
  /^w:(?:\w+Change|cellIns|cellMerge|(?:moveFrom|moveTo|customXml(?:Ins|Del|MoveFrom|MoveTo))Range(?:Start|End))$/;
const anyChange = /<w:(?:ins|del|moveFrom|moveTo|cellIns|cellDel|cellMerge|\w+Change)[\s/>]/;

/** An element, or the text between two tags. */
type Node = Element | string;

interface Element {
  readonly name: string;
  readonly open: string;
  readonly close: string;
  readonly children: readonly Node[];
}

/** Accepts the tracked changes of a document. Returns the parts that change. */
export function acceptChanges(docx: DocxPackage): ReadonlyMap<string, Buffer> {
  const changes = new Map<string, Buffer>();
  for (const name of docx.partNames) {
    if (docx.contentType(name)?.includes('wordprocessingml') !== true) continue;
    const xml = docx.readText(name) ?? '';
    if (anyChange.test(xml)) changes.set(name, Buffer.from(write(accepted(read(xml)))));
  }
  return changes;
}

function read(xml: string): readonly Node[] {
  const root: Node[] = [];
  const open: { readonly start: number; readonly end: number; readonly children: Node[] }[] = [];
  const add = (node: Node): void => void (open.at(-1)?.children ?? root).push(node);
  scanXml(
    xml,
    (tag) => {
      const { kind, start, end } = tag;
      const written = xml.slice(start, end);
      if (kind === 'open') open.push({ start, end, children: [] });
      else if (kind === 'empty') add({ name: tagName(xml, tag), open: written, close: '', children: [] });
      else {
        const element = open.pop();
        if (element === undefined) return;
        const { children } = element;
        add({ name: tagName(xml, tag), open: xml.slice(element.start, element.end), close: written, children });
      }
    },
    ({ start, end }) => add(xml.slice(start, end)),
  );
  return root;
}

const write = (nodes: readonly Node[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : `${node.open}${write(node.children)}${node.close}`)).join('');

function accepted(nodes: readonly Node[]): Node[] {
  const result: Node[] = [];
  /**
   * Paragraphs whose paragraph marks were deleted, so that their content moves to the beginning of the next paragraph.
   */
  let unended: Element[] = [];
  const keepUnended = (): void => {
    for (const paragraph of unended) result.push(paragraph);
    unended = [];
  };
  for (const node of unwrapped(nodes)) {
    const clean = typeof node === 'string' ? node : acceptedElement(node);
    if (clean === undefined) continue;
    if (typeof clean === 'string' || clean.name !== 'w:p') {
      if (typeof clean !== 'string' && clean.close !== '') keepUnended();
      result.push(clean);
    } else if (typeof node !== 'string' && hasDeletedEnd(node)) unended.push(clean);
    else {
      result.push(joined(unended, clean));
      unended = [];
    }
  }
  keepUnended();
  return result;
}

const unwrapped = (nodes: readonly Node[]): Node[] =>
  nodes.flatMap((node) => (typeof node !== 'string' && kept.has(node.name) ? unwrapped(node.children) : [node]));

/** Undefined for an element that is not part of the accepted document. */
function acceptedElement(element: Element): Element | undefined {
  const { name } = element;
  if (removed.has(name) || record.test(name)) return undefined;
  if (name === 'w:tr' && removedIn(child(element, 'w:trPr'))) return undefined;
  if (name === 'w:tc' && child(child(element, 'w:tcPr'), 'w:cellDel') !== undefined) return undefined;
  const clean = { ...element, children: accepted(element.children) };
  // Word does not open documents that have rows without cells, or tables without rows.
  if (name === 'w:tr' && child(clean, 'w:tc') === undefined && child(element, 'w:tc') !== undefined) return undefined;
  if (name === 'w:tbl' && child(clean, 'w:tr') === undefined && child(element, 'w:tr') !== undefined) return undefined;
  return clean;
}

/** Whether the paragraph mark was deleted. A paragraph that ends a section keeps its mark. */
function hasDeletedEnd(paragraph: Element): boolean {
  const properties = child(paragraph, 'w:pPr');
  return removedIn(child(properties, 'w:rPr')) && child(properties, 'w:sectPr') === undefined;
}

const removedIn = (properties: Element | undefined): boolean =>
  [...removed].some((name) => child(properties, name) !== undefined);

function child(element: Element | undefined, name: string): Element | undefined {
  return element?.children.find((node): node is Element => typeof node !== 'string' && node.name === name);
}

/** The last paragraph, with the content of the others inserted before its own. */
function joined(others: readonly Element[], last: Element): Element {
  const properties = child(last, 'w:pPr');
  const contentOf = ({ children }: Element) =>
    children.filter((node) => typeof node === 'string' || node.name !== 'w:pPr');
  const content = [...others, last].flatMap(contentOf);
  if (others.length === 0 || content.length === 0) return last;
  const open = last.close === '' ? last.open.replace(/\s*\/>$/, '>') : last.open;
  return { ...last, open, close: '</w:p>', children: properties === undefined ? content : [properties, ...content] };
}
