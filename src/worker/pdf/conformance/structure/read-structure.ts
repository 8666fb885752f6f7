import { PdfArray, PdfDict, PdfNumber, type PdfObject } from '@libpdf/core';
import type { PdfFile } from '../open-pdf.ts';

/** An element of the structure tree (ISO 32000-1, 14.7.2). */
export interface StructureElement {
  readonly dict: PdfDict;
  /** The type as written. */
  readonly type: string;
  /** The standard type (ISO 32000-1, 14.8.4) after applying the role map; undefined if there is none. */
  readonly role: string | undefined;
  readonly parent: StructureElement | undefined;
  readonly children: readonly StructureElement[];
  /** Its own language or that of the nearest element around it. */
  readonly language: string | undefined;
  /** Alt or ActualText. */
  readonly alternativeText: string | undefined;
  /** The page of its first content; 0 if unknown. */
  readonly page: number;
}

export interface Structure {
  readonly hasRoot: boolean;
  /** In document order. */
  readonly elements: readonly StructureElement[];
  /** False for a tree that has cycles, or is too large or too deep. */
  readonly isComplete: boolean;
  /** Whether a standard type is mapped, or the mapping of a type has a cycle. */
  readonly hasBrokenRoleMap: boolean;
  /** The element of an annotation, by its `StructParent`. */
  parentOf(structParent: number | undefined): StructureElement | undefined;
  /** The element that claims marked content, identified by the `StructParents` of its page or form and the MCID. */
  ownerOf(structParents: number | undefined, mcid: number): StructureElement | undefined;
}

const maxElements = 500_000;
const maxDepth = 400;
const maxTreeNodes = 500_000;

const standardTypes = new Set(
  (
    'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody ' +
    'Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP ' +
    'Figure Formula Form'
  ).split(' '),
);

type MutableElement = StructureElement & { readonly children: StructureElement[] };

export function readStructure(file: PdfFile): Structure {
  const root = file.dict(file.catalog, 'StructTreeRoot');
  const roles = readRoles(file, file.dict(root, 'RoleMap'));
  const pageNumbers = new Map(file.pages.map(({ dict, number }) => [dict, number]));
  const byDict = new Map<PdfDict, MutableElement>();
  const elements: StructureElement[] = [];
  let isComplete = true;
  type Pending = { readonly dict: PdfDict; readonly parent: MutableElement | undefined; readonly depth: number };
  const pending: Pending[] = kidsOf(file, root).map((dict) => ({ dict, parent: undefined, depth: 1 }));
  pending.reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { dict, parent, depth } = next;
    if (byDict.has(dict) || depth > maxDepth || elements.length >= maxElements) {
      isComplete = false;
      continue;
    }
    const type = file.name(dict, 'S') ?? '';
    const alternativeText = file.text(dict, 'Alt') ?? file.text(dict, 'ActualText');
    const language = file.text(dict, 'Lang') ?? parent?.language;
    const own = pageNumbers.get(file.dict(dict, 'Pg') ?? dict);
    const page = own ?? parent?.page ?? 0;
    const element = { dict, type, role: roles.roleOf(type), parent, children: [], language, alternativeText, page };
    byDict.set(dict, element);
    elements.push(element);
    parent?.children.push(element);
    const kids = kidsOf(file, dict);
    for (let index = kids.length - 1; index >= 0; index--) {
      const kid = kids[index];
      if (kid !== undefined) pending.push({ dict: kid, parent: element, depth: depth + 1 });
    }
  }
  const parents = readNumberTree(file, file.dict(root, 'ParentTree'));
  return {
    hasRoot: root !== undefined,
    elements,
    isComplete,
    hasBrokenRoleMap: roles.isBroken,
    parentOf(structParent) {
      const value = structParent === undefined ? undefined : parents.get(structParent);
      return value instanceof PdfDict ? byDict.get(value) : undefined;
    },
    ownerOf(structParents, mcid) {
      const value = structParents === undefined ? undefined : parents.get(structParents);
      const owner = value instanceof PdfArray ? file.resolve(value.at(mcid)) : undefined;
      return owner instanceof PdfDict ? byDict.get(owner) : undefined;
    },
  };
}

/** Child elements, without marked content and object references. */
function kidsOf(file: PdfFile, owner: PdfDict | undefined): readonly PdfDict[] {
  const value = file.get(owner, 'K');
  const kids = value instanceof PdfDict ? [value] : (file.array(owner, 'K') ?? []);
  return kids.flatMap((kid) => (kid instanceof PdfDict && kid.has('S') ? [kid] : []));
}

function readRoles(file: PdfFile, map: PdfDict | undefined) {
  const mapped = new Map([...(map ?? [])].map(([key]) => [key.value, file.name(map, key.value) ?? '']));
  const isBroken = [...mapped.keys()].some((type) => standardTypes.has(type) && mapped.get(type) !== type);
  return {
    isBroken,
    roleOf(type: string): string | undefined {
      const seen = new Set<string>();
      let current: string | undefined = type;
      while (current !== undefined && !standardTypes.has(current)) {
        if (seen.has(current)) return undefined;
        seen.add(current);
        current = mapped.get(current);
      }
      return current;
    },
  };
}

/** The values of a number tree (ISO 32000-1, 7.9.7). */
function readNumberTree(file: PdfFile, root: PdfDict | undefined): ReadonlyMap<number, PdfObject> {
  const values = new Map<number, PdfObject>();
  const seen = new Set<PdfDict>();
  const pending = root === undefined ? [] : [root];
  for (let node = pending.pop(); node !== undefined && seen.size < maxTreeNodes; node = pending.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    const numbers = file.array(node, 'Nums') ?? [];
    for (let index = 0; index + 1 < numbers.length; index += 2) {
      const [key, value] = [numbers[index], numbers[index + 1]];
      if (key instanceof PdfNumber && value !== undefined) values.set(key.value, value);
    }
    pending.push(...(file.array(node, 'Kids') ?? []).flatMap((kid) => (kid instanceof PdfDict ? [kid] : [])));
  }
  return values;
}
