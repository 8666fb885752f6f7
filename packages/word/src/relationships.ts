import { readAttributes, scanXmlTags } from './xml-tokens.ts';

/** A relationship of a part or of the package (ECMA-376 part 2, 6.5); `start` and `end` are offsets in the text. */
export interface Relationship {
  readonly id: string;
  /** The last segment of the type in lower case. Transitional, strict and vendor types differ only before it. */
  readonly kind: string;
  /** The whole type. */
  readonly type: string;
  readonly target: string;
  readonly isExternal: boolean;
  readonly start: number;
  readonly end: number;
}

export function readRelationships(xml: string): Relationship[] {
  const relationships: Relationship[] = [];
  scanXmlTags(xml, (tag) => {
    if (tag.local !== 'Relationship') return;
    if (tag.kind === 'close') {
      const last = relationships.pop();
      if (last !== undefined) relationships.push({ ...last, end: tag.end });
      return;
    }
    const values = new Map(readAttributes(xml, tag).map(({ name, value }) => [name, value]));
    const type = values.get('Type') ?? '';
    const target = (values.get('Target') ?? '').trim();
    relationships.push({
      id: values.get('Id') ?? '',
      kind: type.slice(type.lastIndexOf('/') + 1).toLowerCase(),
      type,
      target,
      isExternal: values.get('TargetMode')?.trim().toLowerCase() === 'external' || pointsOutside(target),
      start: tag.start,
      end: tag.end,
    });
  });
  return relationships;
}

/** The name of the relationships part of `partName`; of the package itself for ''. */
export function relationshipsPartOf(partName: string): string {
  const slash = partName.lastIndexOf('/') + 1;
  return `${partName.slice(0, slash)}_rels/${partName.slice(slash)}.rels`;
}

/** The part to which the relationships in `relsName` belong; '' for the package itself. */
export function sourcePartOf(relsName: string): string {
  return relsName.replace(/(^|\/)_rels\/([^/]*)\.rels$/i, '$1$2');
}

/** The part name of an internal target, relative to `sourcePart` ('' for the package). Never leaves the package. */
export function resolveTarget(sourcePart: string, target: string): string {
  const folder = target.startsWith('/') ? [] : sourcePart.split('/').slice(0, -1);
  const segments: string[] = folder;
  for (const segment of withoutFragment(target).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}

function withoutFragment(target: string): string {
  const path = target.split(/[?#]/, 1)[0] ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function pointsOutside(target: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/|\\)/i.test(target);
}
