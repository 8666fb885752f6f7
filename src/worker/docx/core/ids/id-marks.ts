import type { Node } from '../nodes.ts';

/** Elements whose ids need repair when sections repeat, drop or split them. */
type IdMarkKind =
  | 'docPr'
  | 'revision'
  | 'shape'
  | 'shapetype'
  | 'shapeUser'
  | `${'bookmark' | 'commentRange' | 'perm' | 'moveFromRange' | 'moveToRange'}${'Start' | 'End'}`
  | 'commentReference';

export interface IdMark {
  readonly kind: IdMarkKind;
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

const patterns = [
  '<wp:(docPr)\\b[^>]*>',
  '<w:(?:ins|del|moveFrom|moveTo|\\w+Change|cell(?:Ins|Del|Merge))(?=[\\s/>])[^>]*>',
  '<w:((?:bookmark|commentRange|perm|move(?:From|To)Range)(?:Start|End)|commentReference)\\b[^>]*?(?:/>|>\\s*</w:\\2>)',
  '<v:(shapetype)\\b(?:[^>]*/>|[^]*?</v:shapetype\\s*>)',
  '<v:(?:shape|rect|roundrect|oval|line|polyline|curve|arc|group|image)(?=[\\s/>])[^>]*>',
  '<(?:o:OLEObject|w:control)\\b[^>]*>',
];
const pattern = new RegExp(patterns.join('|'), 'g');
const idAttribute = /\s(?:(?:w:(?:shape)?)?id|ShapeID)=(["'])(.*?)\1/;
const secondId = /\so:spid=(?:"[^"]*"|'[^']*')/;

/** The id marks of the XML in document order. */
export function findIdMarks(xml: string): IdMark[] {
  return Array.from(xml.matchAll(pattern), (match) => ({
    kind: kindOf(match),
    id: idOf(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function kindOf([element, ...named]: RegExpMatchArray): IdMarkKind {
  const name = named.find((group) => group !== undefined);
  if (name !== undefined) return name as IdMarkKind;
  if (element.startsWith('<v:')) return 'shape';
  return element.startsWith('<o:') || element.startsWith('<w:control') ? 'shapeUser' : 'revision';
}

/** A VML shape with another id and without its `o:spid`, Word's own shape number. */
export function withShapeId(element: string, id: string): string {
  return withId(element, id).replace(secondId, '');
}

function idOf(element: string): string {
  return idAttribute.exec(element)?.[2] ?? '';
}

export function withId(element: string, id: number | string): string {
  return element.replace(idAttribute, (whole) => `${whole.slice(0, whole.indexOf('=') + 1)}"${id}"`);
}

const optional = / w14:(?:paraId|textId)=(?:"[^"]*"|'[^']*')|<w:id\b[^>]*\/>/g;

/** The XML without the optional ids of paragraphs, rows and content controls, so that sections can repeat it. */
export function dropOptionalIds(xml: string): string {
  return xml.includes(' w14:') || xml.includes('<w:id ') ? xml.replace(optional, '') : xml;
}

/** Whether sections may repeat ids of a part, or separate a range's start from its end. */
export function mayRepeatIds(nodes: readonly Node[]): boolean {
  const outside: IdMark[] = [];
  if (collectOutside(nodes, outside)) return true;
  const open = new Set<string>();
  for (const { kind, id } of outside) {
    if (kind.endsWith('Start')) open.add(kind.replace('Start', id));
    else if (kind.endsWith('End') && !open.delete(kind.replace('End', id))) return true;
  }
  return open.size > 0;
}

/** Collects the marks outside sections; returns true at the first mark inside one. */
function collectOutside(nodes: readonly Node[], outside: IdMark[], isInside = false): boolean {
  for (const node of nodes) {
    if (node.kind === 'text') {
      const marks = findIdMarks(node.xml);
      if (isInside && marks.length > 0) return true;
      for (const mark of marks) outside.push(mark);
    } else if (node.kind === 'section' && collectOutside(node.body, outside, true)) return true;
  }
  return false;
}
