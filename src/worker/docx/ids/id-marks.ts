/** Elements whose ids must be looked after when sections repeat, drop or cut them. */
export type IdMarkKind =
  | 'docPr'
  | 'revision'
  | `${'bookmark' | 'commentRange' | 'perm'}${'Start' | 'End'}`
  | `${'comment' | 'footnote' | 'endnote'}Reference`;

export interface IdMark {
  readonly kind: IdMarkKind;
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

const pattern =
  /<wp:(docPr)\b[^>]*>|<w:(?:ins|del|moveFrom|moveTo|\w+Change|cell(?:Ins|Del|Merge))(?=[\s/>])[^>]*>|<w:((?:bookmark|commentRange|perm)(?:Start|End)|(?:comment|footnote|endnote)Reference)\b[^>]*?(?:\/>|>\s*<\/w:\2>)/g;
const idAttribute = /\s(?:w:)?id=(["'])(.*?)\1/;

/** The marks of a stretch of XML in their order. */
export function findIdMarks(xml: string): IdMark[] {
  return Array.from(xml.matchAll(pattern), (match) => ({
    kind: (match[1] ?? match[2] ?? 'revision') as IdMarkKind,
    id: idOf(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function idOf(element: string): string {
  return idAttribute.exec(element)?.[2] ?? '';
}

export function withId(element: string, id: number | string): string {
  return element.replace(idAttribute, (whole) => `${whole.slice(0, whole.indexOf('=') + 1)}"${id}"`);
}
