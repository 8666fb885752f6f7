import type { Document as XmlDocument, Element as XmlElement } from '@xmldom/xmldom';
import type { Random } from '../../../../tools/fuzz/random.ts';
import * as values from './values.ts';

export interface Part {
  readonly name: string;
  readonly xml: XmlDocument;
}

/** A .docx whose parts can be changed. */
export interface MutableDocument {
  /** The document, its headers, footers and notes, styles, lists, settings, and the relationships of the document. */
  readonly parts: readonly Part[];
  readonly main: XmlDocument;
  readonly relations: XmlDocument | undefined;
}

/** Changes a document in place. Returns whether it found something to change. */
type Mutation = (document: MutableDocument, donor: MutableDocument, random: Random) => boolean;

/** Each changes a document as an author or a program might. Most exchange or set properties. */
export const mutations: readonly [[string, Mutation], ...[string, Mutation][]] = [
  ['paragraph properties', exchange('pPr', 'p', ['pStyle', 'numPr', 'sectPr'])],
  ['run properties', exchange('rPr', 'r', ['rStyle'])],
  ['table properties', exchange('tblPr', 'tbl', ['tblStyle', 'tblW', 'tblpPr'])],
  ['row properties', exchange('trPr', 'tr', ['gridBefore', 'gridAfter', 'wBefore', 'wAfter'])],
  ['cell properties', exchange('tcPr', 'tc', ['tcW', 'gridSpan', 'vMerge'])],
  ['section properties', exchange('sectPr', '', ['headerReference', 'footerReference'])],
  ['properties of a style', exchangeStyle],
  ['default formats', exchangeChild('styles', 'docDefaults')],
  ['compatibility options', exchangeChild('settings', 'compat')],
  ['levels of a list', exchange('lvl', '', ['pStyle'])],
  ['a paragraph property', setIn('p', 'pPr', values.paragraphProperties)],
  ['a paragraph property', setIn('p', 'pPr', values.paragraphProperties)],
  ['a run property', setIn('r', 'rPr', values.runProperties)],
  ['a run property', setIn('r', 'rPr', values.runProperties)],
  ['a property of a style', setIn('style', 'rPr', values.runProperties)],
  ['a property of a style', setIn('style', 'pPr', values.paragraphProperties)],
  ['a property of a cell', setIn('tc', 'tcPr', values.cellProperties)],
  ['a property of a row', setIn('tr', 'trPr', values.rowProperties)],
  ['a property of a table', setIn('tbl', 'tblPr', values.tableProperties)],
  ['a font', renameFont],
  ['a link', addLink],
  ['widths of columns', changeWidths],
  ['an attribute', changeLength],
  ['repeated blocks', repeatBlock],
  ['a removed block', removeBlock],
  ['a block of another document', insertBlock],
];

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const all = (node: XmlDocument | XmlElement, name: string): XmlElement[] =>
  Array.from(node.getElementsByTagNameNS(word, name));
const allIn = ({ parts }: MutableDocument, name: string): XmlElement[] => parts.flatMap(({ xml }) => all(xml, name));
const childrenOf = (element: XmlElement): XmlElement[] =>
  Array.from(element.childNodes).filter((node): node is XmlElement => node.nodeType === 1);
const childOf = (element: XmlElement, name: string): XmlElement | undefined =>
  childrenOf(element).find((child) => child.localName === name);

function oneOf<T>(random: Random, found: readonly T[]): T | undefined {
  return found[random.below(found.length)];
}

/** Copies an element into the document of `target`. */
const copyFor = (target: XmlElement, element: XmlElement): XmlElement =>
  (target.ownerDocument as XmlDocument).importNode(element, true) as XmlElement;

const hasReference = (element: XmlElement): boolean => /\br:(?:id|embed|link|pict)=/.test(element.toString());

/** Gives one to three elements the properties of an element of the donor, except the properties named in `kept`. */
function exchange(name: string, parent: string, kept: readonly string[]): Mutation {
  return (document, donor, random) => {
    const given = oneOf(random, allIn(donor, name));
    const owners = parent === '' ? allIn(document, name) : allIn(document, parent);
    if (given === undefined || owners.length === 0) return false;
    for (let left = 1 + random.below(3); left > 0; left--) {
      const owner = oneOf(random, owners);
      if (owner === undefined) continue;
      const target = parent === '' ? owner : propertiesOf(owner, name);
      replaceChildren(target, given, kept);
    }
    return true;
  };
}

function replaceChildren(target: XmlElement, given: XmlElement, kept: readonly string[]): void {
  const isKept = ({ localName }: XmlElement): boolean => kept.includes(localName ?? '');
  for (const child of childrenOf(target)) if (!isKept(child)) target.removeChild(child);
  for (const child of childrenOf(given))
    if (!isKept(child) && !hasReference(child)) target.appendChild(copyFor(target, child));
}

/** The properties element of a paragraph, run, table, row, cell or style. Creates it if it is missing. */
function propertiesOf(owner: XmlElement, name: string): XmlElement {
  const found = childOf(owner, name);
  if (found !== undefined) return found;
  const made = (owner.ownerDocument as XmlDocument).createElementNS(word, `w:${name}`);
  if (owner.localName === 'style') owner.appendChild(made);
  else owner.insertBefore(made, owner.firstChild);
  return made;
}

function exchangeStyle(document: MutableDocument, donor: MutableDocument, random: Random): boolean {
  const given = oneOf(random, allIn(donor, 'style'));
  const type = given?.getAttributeNS(word, 'type');
  const target = oneOf(
    random,
    allIn(document, 'style').filter((style) => style.getAttributeNS(word, 'type') === type),
  );
  if (given === undefined || target === undefined) return false;
  const isFormat = ({ localName }: XmlElement): boolean => /Pr$/.test(localName ?? '');
  for (const child of childrenOf(target)) if (isFormat(child)) target.removeChild(child);
  for (const child of childrenOf(given)) if (isFormat(child)) target.appendChild(copyFor(target, child));
  for (const list of all(target, 'numPr')) list.parentNode?.removeChild(list);
  return true;
}

function exchangeChild(parent: string, name: string): Mutation {
  return (document, donor) => {
    const [owner] = allIn(document, parent);
    const [given] = allIn(donor, name);
    if (owner === undefined || given === undefined) return false;
    const found = childOf(owner, name);
    const copy = copyFor(owner, given);
    if (found === undefined) owner.insertBefore(copy, owner.firstChild);
    else owner.replaceChild(copy, found);
    return true;
  };
}

/** Sets a property of one to four elements. */
function setIn(parent: string, name: string, choices: values.Choices): Mutation {
  return (document, _donor, random) => {
    const owners = allIn(document, parent);
    if (owners.length === 0) return false;
    const { name: property, attributes, children = [] } = random.pick(choices);
    for (let left = 1 + random.below(4); left > 0; left--) {
      const owner = oneOf(random, owners);
      if (owner === undefined) continue;
      const target = propertiesOf(owner, name);
      const xml = target.ownerDocument as XmlDocument;
      for (const old of childrenOf(target)) if (old.localName === property) target.removeChild(old);
      const made = element(xml, property, attributes);
      for (const [child, own] of children) made.appendChild(element(xml, child, own));
      target.insertBefore(
        made,
        childrenOf(target).find(({ localName }) => lastProperties.has(localName ?? '')) ?? null,
      );
    }
    return true;
  };
}

/** Properties that must come last. New ones are inserted before them. */
const lastProperties: ReadonlySet<string> = new Set(['rPr', 'sectPr', 'pPrChange', 'rPrChange']);

function element(xml: XmlDocument, name: string, attributes: values.Attributes): XmlElement {
  const made = xml.createElementNS(word, `w:${name}`);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttributeNS(word, `w:${attribute}`, value);
  return made;
}

function renameFont(document: MutableDocument, _donor: MutableDocument, random: Random): boolean {
  const fonts = oneOf(random, allIn(document, 'rFonts'));
  if (fonts === undefined) return false;
  const name = random.pick(values.fonts);
  for (const slot of ['ascii', 'hAnsi']) {
    fonts.removeAttributeNS(word, `${slot}Theme`);
    fonts.setAttributeNS(word, `w:${slot}`, name);
  }
  return true;
}

/** Puts one to three runs of the body into links. */
function addLink({ main, relations }: MutableDocument, _donor: MutableDocument, random: Random): boolean {
  const run = oneOf(
    random,
    all(main, 'r').filter((one) => one.parentNode?.localName === 'p'),
  );
  const root = relations?.documentElement;
  if (run === undefined || relations === undefined || root === null || root === undefined) return false;
  const id = `rIdMutant${root.childNodes.length}`;
  const relation = relations.createElementNS(root.namespaceURI, 'Relationship');
  relation.setAttribute('Id', id);
  relation.setAttribute('Type', `${office}/hyperlink`);
  relation.setAttribute('Target', random.pick(values.addresses));
  relation.setAttribute('TargetMode', 'External');
  root.appendChild(relation);
  const link = main.createElementNS(word, 'w:hyperlink');
  link.setAttributeNS(office, 'r:id', id);
  run.parentNode?.insertBefore(link, run);
  for (let next = run as XmlElement | null, left = 1 + random.below(3); next !== null && left > 0; left--) {
    const after = next.nextSibling as XmlElement | null;
    link.appendChild(next);
    next = after?.localName === 'r' ? after : null;
  }
  return true;
}

/** Changes the columns of a table, and its width in most cases. */
function changeWidths(document: MutableDocument, _donor: MutableDocument, random: Random): boolean {
  const table = oneOf(random, allIn(document, 'tbl'));
  const columns = table === undefined ? [] : all(table, 'gridCol');
  if (table === undefined || columns.length === 0) return false;
  const widthOf = (column: XmlElement): number => Number(column.getAttributeNS(word, 'w') ?? 0);
  for (const column of columns)
    if (random.chance(0.7)) column.setAttributeNS(word, 'w:w', String(Math.round(widthOf(column) * factor(random))));
  const sum = columns.reduce((total, column) => total + widthOf(column), 0);
  const width = childOf(propertiesOf(table, 'tblPr'), 'tblW');
  if (width?.getAttributeNS(word, 'type') === 'dxa' && random.chance(0.8))
    width.setAttributeNS(word, 'w:w', String(sum));
  return true;
}

const factor = (random: Random): number => 0.5 + random.below(1_000) / 800;

/** Changes one length somewhere, such as an indent, a margin, a height or the size of a font. */
function changeLength(document: MutableDocument, _donor: MutableDocument, random: Random): boolean {
  const lengths = allIn(document, '*').flatMap((owner) =>
    values.lengths.flatMap((name) => {
      const value = owner.getAttributeNS(word, name) ?? '';
      return /^-?\d+$/.test(value) && values.lengthOwners.has(owner.localName ?? '') ? [{ owner, name, value }] : [];
    }),
  );
  const found = oneOf(random, lengths);
  if (found === undefined) return false;
  const { owner, name, value } = found;
  const changed = random.chance(0.3) ? Number(value) + random.below(41) - 20 : Number(value) * factor(random);
  owner.setAttributeNS(word, `w:${name}`, String(Math.round(changed)));
  return true;
}

const bodyOf = (xml: XmlDocument): XmlElement | undefined => all(xml, 'body')[0];
const blocksOf = (xml: XmlDocument): XmlElement[] => {
  const body = bodyOf(xml);
  return (body === undefined ? [] : childrenOf(body)).filter(
    (block) => /^(?:p|tbl)$/.test(block.localName ?? '') && all(block, 'sectPr').length === 0,
  );
};

/** Repeats blocks, so that a page ends elsewhere. */
function repeatBlock({ main }: MutableDocument, _donor: MutableDocument, random: Random): boolean {
  const block = oneOf(random, blocksOf(main));
  if (block === undefined || all(block, 'bookmarkStart').length > 0) return false;
  for (let left = 1 + random.below(12); left > 0; left--)
    block.parentNode?.insertBefore(block.cloneNode(true), block.nextSibling);
  return true;
}

function removeBlock({ main }: MutableDocument, _donor: MutableDocument, random: Random): boolean {
  const blocks = blocksOf(main);
  const block = oneOf(random, blocks);
  if (block === undefined || blocks.length < 2) return false;
  block.parentNode?.removeChild(block);
  return true;
}

function insertBlock({ main }: MutableDocument, donor: MutableDocument, random: Random): boolean {
  const before = oneOf(random, blocksOf(main));
  const given = oneOf(random, blocksOf(donor.main));
  if (before === undefined || given === undefined || hasReference(given)) return false;
  before.parentNode?.insertBefore(copyFor(before, given), before);
  return true;
}
