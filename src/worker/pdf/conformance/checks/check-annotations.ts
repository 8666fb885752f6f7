import { PdfDict, PdfStream } from '@libpdf/core';
import type { Findings } from '../findings.ts';
import type { PdfFile } from '../open-pdf.ts';
import { pageBox, toBox } from '../page-box.ts';
import type { Structure } from '../structure/read-structure.ts';

const archiveTypes = new Set(
  'Text Link FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink Popup FileAttachment Widget PrinterMark TrapNet Watermark Redact'.split(
    ' ',
  ),
);
const archiveTypesOfPart1 = new Set(
  'Text Link FreeText Line Square Circle Highlight Underline Squiggly StrikeOut Stamp Ink Popup Widget PrinterMark TrapNet'.split(
    ' ',
  ),
);
const allowedActions = new Set(['GoTo', 'GoToR', 'GoToE', 'URI', 'Named', 'SubmitForm', 'Thread']);
const allowedNames = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage']);
const flag = { invisible: 1, hidden: 2, print: 4, noView: 32, toggleNoView: 256 };
const forbiddenFlags = flag.invisible | flag.hidden | flag.noView | flag.toggleNoView;
const maxActions = 100_000;

/** Checks annotations, form fields and actions. */
export function checkAnnotations(file: PdfFile, findings: Findings, structure: Structure): void {
  const { report } = findings;
  for (const page of file.pages) {
    const place = `page ${page.number}`;
    const annotations = (file.array(page.dict, 'Annots') ?? []).flatMap((item) =>
      item instanceof PdfDict ? [item] : [],
    );
    if (annotations.length > 0 && file.name(page.dict, 'Tabs') !== 'S') report('tab-order', place);
    if (page.dict.has('AA')) report('additional-action', place);
    for (const annotation of annotations) {
      checkForArchive(file, findings, annotation, place);
      if (!isOutside(file, page.dict, annotation)) checkForReaders(file, findings, structure, annotation, place);
    }
  }
  const form = file.dict(file.catalog, 'AcroForm');
  if (form?.has('XFA') === true || file.bool(form, 'NeedAppearances') === true) report('form-rendering');
  if (file.catalog.has('AA')) report('additional-action', 'the document');
  if (file.dict(file.catalog, 'Names')?.has('JavaScript') === true) report('forbidden-action', 'the document');
  checkActions(file, file.dict(file.catalog, 'OpenAction'), 'the document', report);
  for (const bookmark of bookmarksOf(file)) checkActions(file, file.dict(bookmark, 'A'), 'the bookmarks', report);
}

/** The items of the outline (ISO 32000-1, 12.3.3). */
function bookmarksOf(file: PdfFile): ReadonlySet<PdfDict> {
  const found = new Set<PdfDict>();
  const pending = [file.dict(file.dict(file.catalog, 'Outlines'), 'First')];
  for (let item = pending.pop(); item !== undefined && found.size < maxActions; item = pending.pop()) {
    if (found.has(item)) continue;
    found.add(item);
    for (const next of [file.dict(item, 'Next'), file.dict(item, 'First')]) if (next !== undefined) pending.push(next);
  }
  return found;
}

function checkForArchive(file: PdfFile, { report, needs }: Findings, annotation: PdfDict, place: string): void {
  const type = file.name(annotation, 'Subtype') ?? '';
  const types = needs('compressed-objects') ? archiveTypesOfPart1 : archiveTypes;
  if (!types.has(type)) report('annotation-type', place);
  const flags = file.number(annotation, 'F');
  const isShown = flags !== undefined && (flags & flag.print) !== 0 && (flags & forbiddenFlags) === 0;
  if (!isShown && type !== 'Popup') report('annotation-flags', place);
  if (!hasAppearance(file, annotation) && type !== 'Popup' && type !== 'Link' && !isEmpty(file, annotation))
    report('annotation-appearance', place);
  if (annotation.has('AA')) report('additional-action', place);
  if (type === 'Widget' && (annotation.has('A') || annotation.has('AA'))) report('field-action', place);
  checkActions(file, file.dict(annotation, 'A'), place, report);
}

function hasAppearance(file: PdfFile, annotation: PdfDict): boolean {
  const appearance = file.dict(annotation, 'AP');
  const normal = file.dict(appearance, 'N');
  const hasStates = file.name(annotation, 'FT') === 'Btn' || file.name(file.dict(annotation, 'Parent'), 'FT') === 'Btn';
  return appearance?.size === 1 && normal !== undefined && (normal instanceof PdfStream || hasStates);
}

function isEmpty(file: PdfFile, annotation: PdfDict): boolean {
  const [left = 0, bottom = 0, right = 0, top = 0] = (file.array(annotation, 'Rect') ?? []).map((value) =>
    value?.type === 'number' ? value.value : 0,
  );
  return left === right && bottom === top;
}

function checkActions(file: PdfFile, first: PdfDict | undefined, place: string, report: Findings['report']): void {
  const seen = new Set<PdfDict>();
  const pending = first === undefined ? [] : [first];
  for (let action = pending.pop(); action !== undefined && seen.size < maxActions; action = pending.pop()) {
    if (seen.has(action)) continue;
    seen.add(action);
    const type = file.name(action, 'S') ?? '';
    const isAllowed = allowedActions.has(type) && (type !== 'Named' || allowedNames.has(file.name(action, 'N') ?? ''));
    if (!isAllowed) report('forbidden-action', place);
    const next = file.get(action, 'Next');
    const others = next instanceof PdfDict ? [next] : (file.array(action, 'Next') ?? []);
    pending.push(...others.flatMap((other) => (other instanceof PdfDict ? [other] : [])));
  }
}

function checkForReaders(
  file: PdfFile,
  { report }: Findings,
  structure: Structure,
  annotation: PdfDict,
  place: string,
): void {
  const type = file.name(annotation, 'Subtype') ?? '';
  if (((file.number(annotation, 'F') ?? 0) & flag.hidden) !== 0 || type === 'Popup') return;
  const parent = structure.parentOf(file.number(annotation, 'StructParent'));
  const role = parent?.role;
  const hasContents = (file.text(annotation, 'Contents') ?? '') !== '';
  if (type === 'TrapNet' || (type === 'PrinterMark' && parent !== undefined)) report('annotation-kind', place);
  else if (type === 'Link') {
    if (role !== 'Link') report('link-tagged', place);
    if (!hasContents) report('link-description', place);
  } else if (type === 'Widget') {
    if (role !== 'Form') report('annotation-tagged', place);
    if ((inherited(file, fieldOf(file, annotation), 'TU') ?? parent?.alternativeText ?? '') === '')
      report('field-name', place);
    const action = file.dict(annotation, 'A');
    if (file.name(action, 'S') === 'Rendition') checkMedia(file, action, report, place);
  } else {
    if (role !== 'Annot') report('annotation-tagged', place);
    if (!hasContents && (parent?.alternativeText ?? '') === '') report('annotation-description', place);
    checkMedia(file, file.dict(annotation, 'A'), report, place);
  }
}

function checkMedia(file: PdfFile, action: PdfDict | undefined, report: Findings['report'], place: string): void {
  const clip = file.dict(file.dict(action, 'R'), 'C');
  if (clip !== undefined && (file.text(clip, 'CT') === undefined || !clip.has('Alt')))
    report('media-description', place);
}

/** The field of a widget. In a group, each widget is a kid without its own name. */
function fieldOf(file: PdfFile, widget: PdfDict): PdfDict {
  return widget.has('T') ? widget : (file.dict(widget, 'Parent') ?? widget);
}

/** Whether an annotation is outside the part of the page that is shown. */
function isOutside(file: PdfFile, page: PdfDict, annotation: PdfDict): boolean {
  const box = pageBox(file, page, 'CropBox') ?? pageBox(file, page, 'MediaBox');
  const rectangle = toBox(file.array(annotation, 'Rect'));
  if (box === undefined || rectangle === undefined) return false;
  return (
    rectangle.right < box.left || rectangle.left > box.right || rectangle.top < box.bottom || rectangle.bottom > box.top
  );
}

function inherited(file: PdfFile, field: PdfDict, key: string): string | undefined {
  let node: PdfDict | undefined = field;
  for (let depth = 0; node !== undefined && depth < 32; depth++) {
    const value = file.text(node, key);
    if (value !== undefined) return value;
    node = file.dict(node, 'Parent');
  }
  return undefined;
}
