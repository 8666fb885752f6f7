import { readAttributes, scanXml, textContent, type XmlAttribute } from '@docmill/word/xml-tokens';
import { packageLimits } from '../limits.ts';
import { refusal } from './refusal.ts';

interface DrawnElement {
  readonly local: string;
  /** Indexes of its children and, once resolved, of the elements that it draws by reference. */
  readonly edges: number[];
  /** Ids of the elements that it draws by `use`, patterns, masks, clips, markers and filters. */
  readonly references: string[];
  /** The simple selectors that match it: its name, `.class` and `#id`. */
  readonly handles: readonly string[];
}

/** Gradients count as colours and draw no elements. */
const gradients = new Set(['linearGradient', 'radialGradient']);

/** Rejects an SVG that draws too much by reference. `text` is the well-formed SVG, `name` the part for the error. */
export function checkSvgExpansion(text: string, name: string): void {
  const problem = svgExpansionProblem(text);
  if (problem !== undefined) throw refusal(`The picture is an SVG that ${problem}. Save it as PNG.`, name);
}

/**
 * The problem of an SVG that draws too many elements by reference; completes "an SVG that …". Ten levels of groups that
 * each use the one below ten times draw ten thousand million elements.
 */
export function svgExpansionProblem(text: string): string | undefined {
  const { elements, ids, rules } = readElements(text);
  const targetsOf = (references: readonly string[]) =>
    references.flatMap((id) => {
      const target = ids.get(id) ?? -1;
      return gradients.has(elements[target]?.local ?? 'linearGradient') ? [] : [target];
    });
  // Each style rule becomes one node that all matching elements point to, so the graph is no larger than the file.
  const nodes: Pick<DrawnElement, 'edges'>[] = [...elements];
  const styled = new Map<string, number>();
  for (const [handle, references] of rules) {
    const edges = targetsOf([...references]);
    if (edges.length > 0) styled.set(handle, nodes.push({ edges }) - 1);
  }
  for (const { edges, references, handles } of elements)
    edges.push(...targetsOf(references), ...handles.flatMap((handle) => styled.get(handle) ?? []));
  const drawn = countDrawn(nodes);
  if (drawn === undefined) return 'contains itself';
  if (drawn - elements.length <= packageLimits.maxSvgReferences) return undefined;
  return `draws more than ${packageLimits.maxSvgReferences.toLocaleString('en')} elements by reference`;
}

/** The number of elements that the first one draws; undefined if one of them draws itself. Takes linear time, without recursion. */
function countDrawn(elements: readonly Pick<DrawnElement, 'edges'>[]): number | undefined {
  const drawn = new Float64Array(elements.length);
  const isOpen = new Uint8Array(elements.length);
  const pending = elements.length > 0 ? [0] : [];
  for (let at = pending.at(-1); at !== undefined; at = pending.at(-1)) {
    const edges = elements[at]?.edges ?? [];
    if (drawn[at] !== 0) {
      pending.pop();
    } else if (isOpen[at] === 1) {
      drawn[at] = edges.reduce((sum, edge) => sum + (drawn[edge] ?? 0), 1);
      isOpen[at] = 0;
      pending.pop();
    } else {
      isOpen[at] = 1;
      for (const edge of edges) {
        if (isOpen[edge] === 1) return undefined;
        if (drawn[edge] === 0) pending.push(edge);
      }
    }
  }
  return drawn[0] ?? 0;
}

interface ReadElements {
  readonly elements: readonly DrawnElement[];
  readonly ids: ReadonlyMap<string, number>;
  /** The ids that style sheets let elements draw, by the elements' handle. */
  readonly rules: ReadonlyMap<string, ReadonlySet<string>>;
}

function readElements(text: string): ReadElements {
  const elements: DrawnElement[] = [];
  const ids = new Map<string, number>();
  const rules = new Map<string, Set<string>>();
  const open: number[] = [];
  let sheetStart = -1;
  scanXml(text, (tag) => {
    if (tag.local === 'style') {
      if (tag.kind === 'open') sheetStart = tag.end;
      else if (tag.kind === 'close' && sheetStart >= 0) addRules(textContent(text.slice(sheetStart, tag.start)), rules);
    }
    if (tag.kind === 'close') {
      open.pop();
      return;
    }
    const attributes = readAttributes(text, tag);
    const index = elements.length;
    elements[open.at(-1) ?? -1]?.edges.push(index);
    const id = attributes.find(({ name }) => name === 'id')?.value;
    if (id !== undefined && !ids.has(id)) ids.set(id, index);
    elements.push({
      local: tag.local,
      edges: [],
      references: referencesOf(tag.local, attributes),
      handles: handlesOf(tag.local, attributes),
    });
    if (tag.kind === 'open') open.push(index);
  });
  return { elements, ids, rules };
}

function referencesOf(local: string, attributes: readonly XmlAttribute[]): string[] {
  const isDrawn = local !== 'a' && !gradients.has(local);
  return attributes.flatMap(({ local: attribute, value }) => {
    if (attribute === 'href') return isDrawn && value.trim().startsWith('#') ? [value.trim().slice(1)] : [];
    return value.includes('url(') ? urlsIn(value) : [];
  });
}

function handlesOf(local: string, attributes: readonly XmlAttribute[]): string[] {
  const handles = ['*', local];
  for (const { name, value } of attributes) {
    if (name === 'class') handles.push(...value.split(/\s+/).map((word) => `.${word}`));
    if (name === 'id') handles.push(`#${value}`);
  }
  return handles;
}

function urlsIn(text: string): string[] {
  return Array.from(text.matchAll(/url\(\s*["']?\s*#([^"')\s]+)/gi), ([, id = '']) => id);
}

/** Collects the rules of a style sheet that refer to elements. A rule applies to each element that its selectors name in any part. */
function addRules(sheet: string, rules: Map<string, Set<string>>): void {
  const plain = sheet.replace(/\/\*[\s\S]*?\*\//g, ' ');
  for (const [, selectors = '', declarations = ''] of plain.matchAll(/([^{}]*)\{([^{}]*)\}/g)) {
    const references = urlsIn(declarations);
    if (references.length === 0) continue;
    for (const handle of selectors.match(/[.#]?[\w-]+|\*/g) ?? ['*']) {
      const known = rules.get(handle) ?? new Set();
      for (const reference of references) known.add(reference);
      rules.set(handle, known);
    }
  }
}
