import { PdfDict } from '@libpdf/core';
import type { ContentVisitor } from '../content/content-visitor.ts';
import type { Findings } from '../findings.ts';
import type { PdfFile } from '../open-pdf.ts';
import { checkTable } from './check-table.ts';
import type { Structure, StructureElement } from './read-structure.ts';

type TagVisitor = Pick<ContentVisitor, 'paint' | 'mark' | 'text'>;

const languageTag = /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/;
const maxShownChars = 60;

/** Which children an element may have, and which parents it must have (ISO 32000-1, 14.8.4). */
const nesting: readonly {
  readonly rule: 'list-structure' | 'contents-structure';
  readonly role: string;
  readonly parents?: readonly string[];
  readonly children?: readonly string[];
}[] = [
  { rule: 'list-structure', role: 'L', children: ['L', 'LI', 'Caption'] },
  { rule: 'list-structure', role: 'LI', parents: ['L'], children: ['Lbl', 'LBody'] },
  { rule: 'list-structure', role: 'LBody', parents: ['LI'] },
  { rule: 'contents-structure', role: 'TOC', children: ['TOC', 'TOCI', 'Caption'] },
  { rule: 'contents-structure', role: 'TOCI', parents: ['TOC'] },
];

/** Checks the structure tree, and returns a visitor that checks the marks of the content against it. */
export function checkStructure(file: PdfFile, { report }: Findings, structure: Structure): TagVisitor {
  const marking = file.dict(file.catalog, 'MarkInfo');
  if (file.bool(marking, 'Marked') !== true || !structure.hasRoot) report('tagged');
  if (file.bool(marking, 'Suspects') === true) report('suspects');
  if (!structure.isComplete) report('structure-readable');
  if (structure.hasBrokenRoleMap) report('role-map', 'the role map');
  for (const element of structure.elements) checkElement(file, report, element);
  checkHeadings(structure, report);
  checkNotes(file, structure, report);
  const hasLanguage = (file.text(file.catalog, 'Lang') ?? '') !== '';
  if (!hasLanguage) checkLanguages(file, report, structure);
  return {
    text(_font, _codes, _isVisible, place, marks) {
      if (hasLanguage || marks.some(({ tag, language }) => tag === 'Artifact' || (language ?? '') !== '')) return;
      const owners = marks.map(({ mcid }) =>
        mcid === undefined ? undefined : structure.ownerOf(place.structParents, mcid),
      );
      if (!owners.some((owner) => (owner?.language ?? '') !== '')) report('language', place.name);
    },
    paint(marks, place) {
      if (place.isTaggable && !marks.some(({ tag, mcid }) => tag === 'Artifact' || mcid !== undefined))
        report('content-tagged', place.name);
    },
    mark(mark, outer, place) {
      const isInArtifact = outer.some(({ tag }) => tag === 'Artifact');
      const isInTagged = outer.some(({ mcid }) => mcid !== undefined);
      if (mark.tag === 'Artifact' ? isInTagged : mark.mcid !== undefined && isInArtifact)
        report('artifact-nesting', place.name);
      if (
        mark.mcid !== undefined &&
        mark.tag !== 'Artifact' &&
        structure.ownerOf(place.structParents, mark.mcid) === undefined
      )
        report('content-in-structure', place.name);
    },
  };
}

/** Texts outside the content, in a document that declares no language for everything. */
function checkLanguages(file: PdfFile, report: Findings['report'], structure: Structure): void {
  for (const element of structure.elements) {
    const hasText = element.alternativeText !== undefined || element.dict.has('E');
    if (hasText && (element.language ?? '') === '') report('language', placeOf(element));
  }
  for (const page of file.pages) {
    for (const annotation of file.array(page.dict, 'Annots') ?? []) {
      if (!(annotation instanceof PdfDict) || !['Contents', 'TU'].some((key) => annotation.has(key))) continue;
      const owner = structure.parentOf(file.number(annotation, 'StructParent'));
      const language = file.text(annotation, 'Lang') ?? owner?.language;
      if ((language ?? '') === '') report('language', `page ${page.number}`);
    }
  }
  if (file.dict(file.dict(file.catalog, 'Outlines'), 'First') !== undefined) report('language', 'the bookmarks');
}

function placeOf({ page, type }: StructureElement): string {
  const shown = type.slice(0, maxShownChars);
  return page === 0 ? shown : `page ${page}, ${shown}`;
}

function checkElement(file: PdfFile, report: Findings['report'], element: StructureElement): void {
  const { role, dict, children } = element;
  const place = placeOf(element);
  if (role === undefined) report('role-map', place);
  const language = file.text(dict, 'Lang');
  if (language !== undefined && language !== '' && !languageTag.test(language)) report('language-code', place);
  const isDescribed = (element.alternativeText ?? '').trim() !== '';
  if (role === 'Figure' && !isDescribed) report('figure-alt', place);
  if (role === 'Formula' && !isDescribed) report('formula-alt', place);
  for (const { rule, role: constrained, parents, children: allowed } of nesting) {
    if (role !== constrained) continue;
    if (parents !== undefined && !parents.includes(element.parent?.role ?? '')) report(rule, place);
    if (allowed !== undefined && children.some((child) => !allowed.includes(child.role ?? ''))) report(rule, place);
  }
  const captions = children.findLastIndex((child) => child.role === 'Caption');
  if ((role === 'L' || role === 'TOC') && captions > 0)
    report(role === 'L' ? 'list-structure' : 'contents-structure', place);
  if (children.filter((child) => child.role === 'H').length > 1) report('heading-kinds', place);
  checkTable(file, report, element, place);
}

function checkHeadings({ elements }: Structure, report: Findings['report']): void {
  let last = 0;
  for (const element of elements) {
    const level = /^H([1-6])$/.exec(element.role ?? '')?.[1];
    if (level === undefined) continue;
    const current = Number(level);
    if (last === 0 && current !== 1) report('heading-first', placeOf(element));
    else if (current > last + 1) report('heading-skipped', placeOf(element));
    last = current;
  }
  const unnumbered = elements.find(({ role }) => role === 'H');
  if (last > 0 && unnumbered !== undefined) report('heading-kinds', placeOf(unnumbered));
}

function checkNotes(file: PdfFile, { elements }: Structure, report: Findings['report']): void {
  const ids = new Set<string>();
  for (const element of elements) {
    if (element.role !== 'Note') continue;
    const id = file.text(element.dict, 'ID') ?? '';
    if (id === '' || ids.has(id)) report('note-id', placeOf(element));
    ids.add(id);
  }
}
