import { escapeAttribute } from '@docmill/word/escape-xml';
import { packageNamespaces } from '@docmill/word/namespaces';
import { type Relationship, readRelationships, resolveTarget, sourcePartOf } from '@docmill/word/relationships';
import { attributeOf, scanXmlTags, tagName } from '@docmill/word/xml-tokens';
import type { DocxPackage } from '../../package/open-package.ts';
import { fitsKind, opensPart } from './part-roots.ts';

export interface RepairedRelationships {
  /** The kind of each relationship by its id. */
  readonly kinds: ReadonlyMap<string, string>;
  /** The new text; undefined if nothing changed. */
  readonly xml: string | undefined;
  /** Whether a relationship to a part that readers would open was dropped. */
  readonly isPartLost: boolean;
}

/**
 * Rewrites one relationships part in the form that every reader understands (ECMA-376 part 2, 6.5): no prefixes, unique
 * ids, and targets that exist under their exact names. Drops relationships to missing parts and to parts of another
 * kind. `actualName` returns the exact name of a part for its lower-case name.
 */
export function repairRelationships(
  docx: DocxPackage,
  relsName: string,
  actualName: (lowerName: string) => string | undefined,
): RepairedRelationships {
  const xml = docx.readText(relsName) ?? '';
  const source = sourcePartOf(relsName);
  const kinds = new Map<string, string>();
  const kept: Relationship[] = [];
  let isPartLost = false;
  let isChanged = !isCanonical(xml);
  for (const relationship of readRelationships(xml)) {
    const { kind, type, target, isExternal } = relationship;
    const isInside = !isExternal && !target.startsWith('#');
    const fitting = isInside ? targetFor(docx, source, relationship, actualName) : target;
    if (type === '' || fitting === undefined) {
      isPartLost ||= opensPart(kind);
      isChanged = true;
      continue;
    }
    const id = relationship.id === '' || kinds.has(relationship.id) ? freeId(kinds) : relationship.id;
    isChanged ||= fitting !== target || id !== relationship.id;
    kinds.set(id, kind);
    kept.push({ ...relationship, id, target: fitting });
  }
  return { kinds, isPartLost, xml: isChanged ? write(kept) : undefined };
}

/** The target in a form that LibreOffice resolves; undefined if the part is missing or of another kind. */
function targetFor(
  docx: DocxPackage,
  source: string,
  { target, kind }: Relationship,
  actualName: (lowerName: string) => string | undefined,
): string | undefined {
  const name = actualName(resolveTarget(source, target).toLowerCase());
  if (name === undefined || name === source || !fitsKind(docx, name, kind)) return undefined;
  return isPlain(source, target, name) ? target : `/${encodeURI(name)}`;
}

/** Whether a target is the exact name of the part, without escapes, dot segments or other capitals. */
function isPlain(source: string, target: string, name: string): boolean {
  if (/[%?#\\]|\/\/|(?:^|\/)\.(?:\/|$)/.test(target)) return false;
  return resolveTarget(source, target) === name && !/[^/]\/\.\.(?:\/|$)/.test(target.replace(/^(?:\.\.\/)+/, ''));
}

function isCanonical(xml: string): boolean {
  let depth = 0;
  let isFine = true;
  let hasRoot = false;
  scanXmlTags(xml, (tag) => {
    if (tag.kind === 'close') {
      depth--;
      return;
    }
    const expected = depth === 0 ? 'Relationships' : 'Relationship';
    if (tagName(xml, tag) !== expected || depth > 1) isFine = false;
    if (depth === 0) {
      isFine &&= !hasRoot && attributeOf(xml, tag, 'xmlns') === packageNamespaces.relationships;
      hasRoot = true;
    }
    if (tag.kind === 'open') depth++;
  });
  return isFine && hasRoot;
}

function freeId(kinds: ReadonlyMap<string, string>): string {
  let number = kinds.size + 1;
  while (kinds.has(`rIdRepaired${number}`)) number++;
  return `rIdRepaired${number}`;
}

function write(relationships: readonly Relationship[]): string {
  const items = relationships.map(({ id, type, target, isExternal }) => {
    const mode = isExternal ? ' TargetMode="External"' : '';
    return `<Relationship Id="${escapeAttribute(id)}" Type="${escapeAttribute(type)}" Target="${escapeAttribute(target)}"${mode}/>`;
  });
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  return `${head}<Relationships xmlns="${packageNamespaces.relationships}">${items.join('')}</Relationships>`;
}
