import { DOMParser, type Document, type Element, XMLSerializer } from '@xmldom/xmldom';

/** Numbers from 0 to 1 that are the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Changes an invoice in one to three places, so that different rules apply or are broken. */
export function mutateInvoice(xml: string, random: () => number): string {
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  const changes = 1 + Math.floor(random() * 3);
  for (let change = 0; change < changes; change++) pick(mutations, random)(document, random);
  return new XMLSerializer().serializeToString(document);
}

type Mutation = (document: Document, random: () => number) => void;

const categories = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M', 'B', 'XX'];
const texts = [
  '',
  ' ',
  '0',
  'abc',
  '-1',
  '0.005',
  '1e3',
  'true',
  'false',
  'EUR',
  'DE',
  '380',
  '381',
  '384',
  '58',
  '59',
];
const amounts = ['0.01', '-0.01', '1', '100', '0.001', '0.005'];
const schemes = ['VA', 'FC', '0088', '0204', 'SEPA', 'XR01', 'EM', 'zzz', 'CVD', '102', 'application/xml', 'SEK'];
const dates = ['20260131', '2026-01-31', '2026-02-30', '20190101', '2019-01-01', '2019-01-01Z'];
const notes = [
  '#SKONTO#TAGE=14#PROZENT=2.25#\n',
  '#SKONTO#TAGE=14#PROZENT=2.2#\n',
  '#SKONTO#TAGE=7#PROZENT=3.00#BASISBETRAG=10.00#\nrest',
  '#AAI#note',
  '#QQQ#note',
];
const identifiers = [
  'DE89370400440532013000',
  'DE89 3704 0044 0532 0130 01',
  'GB82WEST12345698765432',
  'a@b.de',
  'a@@b.de',
  '+49 12',
  'https://example.com/a',
  'no url',
  'GR12',
  'DE12',
];

const leafTexts = [texts, dates, notes, identifiers, categories];

/** Mutations that are listed several times are chosen more often. */
const mutations: readonly Mutation[] = [
  removeElement,
  removeElement,
  repeatElement,
  changeAmount,
  changeAmount,
  changeAmount,
  changeCategory,
  changeCategory,
  (document, random) => setText(pick(leavesOf(document), random), pick(pick(leafTexts, random), random)),
  (document, random) => setText(pick(leavesOf(document), random), pick(pick(leafTexts, random), random)),
  emptyElement,
  changeAttribute,
  changeAttribute,
  renameElement,
];

function removeElement(document: Document, random: () => number): void {
  const element = pick(innerElementsOf(document), random);
  element.parentNode?.removeChild(element);
}

function repeatElement(document: Document, random: () => number): void {
  const element = pick(innerElementsOf(document), random);
  element.parentNode?.insertBefore(element.cloneNode(true), element);
}

function emptyElement(document: Document, random: () => number): void {
  const element = pick(innerElementsOf(document), random);
  while (element.firstChild !== null) element.removeChild(element.firstChild);
}

function changeAmount(document: Document, random: () => number): void {
  const numbers = leavesOf(document).filter((leaf) => /^-?\d+(\.\d+)?$/.test(leaf.textContent?.trim() ?? ''));
  if (numbers.length === 0) return;
  const element = pick(numbers, random);
  const value = Number(element.textContent) + Number(pick(amounts, random));
  // Amounts that round to a negative zero are left out: Saxon 9.9 says that it differs from zero, against XPath.
  const isNegated = value > 0.005 && random() < 0.2;
  setText(element, isNegated ? String(-value) : value.toFixed(random() < 0.1 ? 3 : 2));
}

/** All categories of an invoice at once, so that the rules of a category apply to lines, charges and totals alike. */
function changeCategory(document: Document, random: () => number): void {
  const category = pick(categories, random);
  const isFree = random() < 0.6;
  for (const leaf of leavesOf(document)) {
    const inCategory = leaf.localName === 'ID' && /TaxCategory$/.test(leaf.parentNode?.localName ?? '');
    if (leaf.localName === 'CategoryCode' || inCategory) setText(leaf, category);
    if (isFree && /^(RateApplicablePercent|Percent|CalculatedAmount)$/.test(leaf.localName ?? '')) setText(leaf, '0');
  }
}

function changeAttribute(document: Document, random: () => number): void {
  const element = pick(
    innerElementsOf(document).filter(({ attributes }) => attributes.length > 0),
    random,
  );
  const name = pick(Array.from(element.attributes), random).nodeName;
  if (name.startsWith('xmlns')) return;
  if (random() < 0.3) element.removeAttribute(name);
  else element.setAttribute(name, pick(schemes, random));
}

function renameElement(document: Document, random: () => number): void {
  const elements = innerElementsOf(document);
  const element = pick(elements, random);
  const model = pick(elements, random);
  const copy = document.createElementNS(model.namespaceURI, model.nodeName);
  while (element.firstChild !== null) copy.appendChild(element.firstChild);
  element.parentNode?.replaceChild(copy, element);
}

function setText(element: Element, text: string): void {
  element.textContent = text;
}

/** All elements but the root. */
function innerElementsOf(document: Document): Element[] {
  return Array.from(document.getElementsByTagName('*')).slice(1);
}

function leavesOf(document: Document): Element[] {
  return innerElementsOf(document).filter(
    ({ childNodes }) => childNodes.length === 1 && !/</.test(childNodes.item(0)?.nodeValue ?? '<'),
  );
}

function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
}
