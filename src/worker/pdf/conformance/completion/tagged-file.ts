import { PdfArray, PdfDict, PdfNumber, type PdfObject, PdfRef } from '@libpdf/core';
import type { PdfFile, PdfPage } from '../open-pdf.ts';
import type { Structure, StructureElement } from '../structure/read-structure.ts';
import type { Changes } from './changes.ts';

/** A link annotation. */
export interface Link {
  readonly dict: PdfDict;
  readonly number: number;
  readonly page: PdfPage;
  /** Left, bottom, right, top. */
  readonly box: readonly number[];
  /** The structure element it belongs to. */
  element: StructureElement | undefined;
}

/** A tagged PDF while its tags are completed. */
export interface TaggedFile {
  readonly file: PdfFile;
  readonly structure: Structure;
  readonly links: readonly Link[];
  readonly changes: Changes;
  numberOf(dict: PdfDict): number | undefined;
  /** Adds a link to the structure, as the last child of the element with this number. */
  attach(link: Link, element: number): void;
}

export function openTaggedFile(file: PdfFile, structure: Structure, changes: Changes): TaggedFile {
  const numbers = new Map<PdfObject, number>([...file.objects()].map(([number, object]) => [object, number]));
  const tree = file.dict(file.catalog, 'StructTreeRoot')?.get('ParentTree');
  const nums = tree instanceof PdfRef ? file.array(pickDict(file.resolve(tree)), 'Nums') : undefined;
  let nextKey = 1 + (nums ?? []).reduce((most: number, key, i) => Math.max(most, i % 2 === 0 ? numberIn(key) : -1), -1);
  return {
    file,
    structure,
    changes,
    links: file.pages.flatMap((page) => linksOf(file, structure, page)),
    numberOf: (dict) => numbers.get(dict),
    attach(link, element) {
      if (!(tree instanceof PdfRef) || nums === undefined) return;
      const key = nextKey++;
      changes.setEntry(link.number, 'StructParent', String(key));
      changes.addItem(element, 'K', `<</Type/OBJR/Pg ${link.page.ref.objectNumber} 0 R/Obj ${link.number} 0 R>>`);
      changes.addItem(tree.objectNumber, 'Nums', `${key} ${element} 0 R`);
    },
  };
}

function linksOf(file: PdfFile, structure: Structure, page: PdfPage): Link[] {
  const annotations = file.get(page.dict, 'Annots');
  if (!(annotations instanceof PdfArray)) return [];
  return [...annotations].flatMap((item) => {
    const dict = file.resolve(item);
    if (!(item instanceof PdfRef) || !(dict instanceof PdfDict) || file.name(dict, 'Subtype') !== 'Link') return [];
    const box = (file.array(dict, 'Rect') ?? []).map(numberIn);
    const element = structure.parentOf(file.number(dict, 'StructParent'));
    return [{ dict, number: item.objectNumber, page, box, element }];
  });
}

function numberIn(value: PdfObject | undefined): number {
  return value instanceof PdfNumber ? value.value : 0;
}

function pickDict(value: PdfObject | undefined): PdfDict | undefined {
  return value instanceof PdfDict ? value : undefined;
}
