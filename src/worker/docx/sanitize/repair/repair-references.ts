import { TextEdits } from '@docmill/word/text-edits';
import { decodeEntities, readAttributes, scanXmlTags, type XmlAttribute, type XmlTag } from '@docmill/word/xml-tokens';
import type { WarningCode } from '../warnings.ts';
import { canEvaluateDataBinding } from './data-binding.ts';

/** Elements that need a relationship of this kind; `any` matches every kind. */
const requiredKind = new Map([
  ['headerReference', 'header'],
  ['footerReference', 'footer'],
  ['chart', 'any'],
  ['contentPart', 'any'],
  ['hlinkClick', 'any'],
  ['hlinkHover', 'any'],
  ['hlinkMouseOver', 'any'],
  ['svgBlip', 'any'],
]);

/** Elements that only the main part may have, and only with a relationship of this kind. */
const notesKind = new Map([
  ['footnoteReference', 'footnotes'],
  ['endnoteReference', 'endnotes'],
]);

export interface ReferenceInput {
  readonly xml: string;
  /** The kinds of the part's relationships by their ids. */
  readonly kinds: ReadonlyMap<string, string>;
  /** Whether this is the main part, the only one with headers, footers and notes. */
  readonly isMain: boolean;
  readonly onRepaired: (code: WarningCode) => void;
}

/** Removes references to relationships that the part does not have; undefined if nothing changed. */
export function repairReferences({ xml, kinds, isMain, onRepaired }: ReferenceInput): string | undefined {
  const prefixes = relationshipPrefixes(xml);
  if (!mayNeedRepair(xml, { prefixes, kinds, isMain })) return undefined;
  const edits = new TextEdits();
  const repaired = new Set<WarningCode>();
  let cut: { readonly local: string; readonly start: number; depth: number } | undefined;
  scanXmlTags(xml, (tag) => {
    if (cut !== undefined) {
      if (tag.local !== cut.local || tag.kind === 'empty') return;
      cut.depth += tag.kind === 'open' ? 1 : -1;
      if (cut.depth > 0) return;
      edits.replace(cut.start, tag.end);
      cut = undefined;
      return;
    }
    if (tag.kind === 'close') return;
    const verdict = examine(xml, tag, { prefixes, kinds, isMain });
    if (verdict === undefined) return;
    repaired.add(verdict.code);
    if (verdict.attributes !== undefined) {
      for (const { start, end } of verdict.attributes) edits.replace(start, end);
    } else if (tag.kind === 'empty') edits.replace(tag.start, tag.end);
    else cut = { local: tag.local, start: tag.start, depth: 1 };
  });
  if (edits.isEmpty) return undefined;
  for (const code of repaired) onRepaired(code);
  return edits.apply(xml);
}

interface Context {
  readonly prefixes: ReadonlySet<string>;
  readonly kinds: ReadonlyMap<string, string>;
  readonly isMain: boolean;
}

/** What to remove if the target is missing: these attributes, or the whole element. */
interface Verdict {
  readonly code: WarningCode;
  readonly attributes?: readonly XmlAttribute[];
}

function examine(xml: string, tag: XmlTag, { prefixes, kinds, isMain }: Context): Verdict | undefined {
  const attributes = readAttributes(xml, tag);
  if (tag.local === 'dataBinding') return canEvaluateDataBinding(attributes) ? undefined : { code: 'data_binding' };
  const notes = notesKind.get(tag.local);
  if (notes !== undefined) return isMain && hasKind(kinds, notes) ? undefined : { code: 'broken_reference' };
  const references = attributes.filter((attribute) => isReference(attribute, prefixes));
  const required = requiredKind.get(tag.local);
  if (required === 'header' || required === 'footer') {
    const fits = isMain && references.some(({ value }) => kinds.get(value) === required);
    return fits ? undefined : { code: 'broken_reference' };
  }
  const dangling = references.filter(({ value }) => value !== '' && !kinds.has(value));
  if (dangling.length === 0) return undefined;
  return required === undefined ? { code: 'broken_reference', attributes: dangling } : { code: 'broken_reference' };
}

function hasKind(kinds: ReadonlyMap<string, string>, wanted: string): boolean {
  return [...kinds.values()].includes(wanted);
}

function isReference({ name, local }: XmlAttribute, prefixes: ReadonlySet<string>): boolean {
  return local === 'relid' || (name !== local && prefixes.has(name.slice(0, -local.length - 1)));
}

const declaration = /xmlns:([\w.-]+)\s*=\s*["'][^"']*\/relationships\/?["']/g;

/** The prefixes of the relationships namespaces, transitional and strict, anywhere in the part. */
function relationshipPrefixes(xml: string): ReadonlySet<string> {
  return new Set(Array.from(xml.matchAll(declaration), ([, prefix = '']) => prefix));
}

const prefixed = /\s([\w.-]+):([\w.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;

const pageReference = /<(?:[\w.-]+:)?(header|footer)Reference\b[^>]*>/g;

/** A fast check that avoids scanning tags. A false positive costs only the scan. */
function mayNeedRepair(xml: string, { prefixes, kinds, isMain }: Context): boolean {
  if (xml.includes('dataBinding')) return true;
  for (const [element, notes] of notesKind) {
    if (xml.includes(element) && !(isMain && hasKind(kinds, notes))) return true;
  }
  for (const [element, required = ''] of xml.matchAll(pageReference)) {
    const ids = Array.from(element.matchAll(prefixed), ([, , , double, single]) =>
      decodeEntities(double ?? single ?? ''),
    );
    if (!isMain || !ids.some((id) => kinds.get(id) === required)) return true;
  }
  for (const [, prefix = '', local, double, single] of xml.matchAll(prefixed)) {
    if (local !== 'relid' && !prefixes.has(prefix)) continue;
    const value = decodeEntities(double ?? single ?? '');
    if (value !== '' && !kinds.has(value)) return true;
  }
  return false;
}
