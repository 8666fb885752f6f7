import { PdfDict, PdfName, PdfStream } from '@libpdf/core';
import type { PdfFile, PdfPage } from '../open-pdf.ts';
import type { ContentPlace, ContentVisitor, Mark } from './content-visitor.ts';
import { deviceColours, pathPainting, settingColours, silentOperators, textShowing } from './operators.ts';
import { type Operand, type Operation, readOperations } from './read-operations.ts';

interface TextState {
  font: PdfDict | undefined;
  mode: number;
}

const maxFormDepth = 32;
/** The limit of nested graphics states (ISO 19005-1, 6.1.12). */
const maxSavedStates = 28;
const maxMarks = 10_000;
const maxNameBytes = 127;
const maxStringBytes = 32_767;
const maxInteger = 2 ** 31 - 1;
const invisible = 3;

/** Visits the content of pages and of their annotations. */
export function walkContents(file: PdfFile, visitor: ContentVisitor, pages: readonly PdfPage[] = file.pages): void {
  const walker = new Walker(file, visitor);
  for (const page of pages) {
    const name = `page ${page.number}`;
    const place = { name, structParents: file.number(page.dict, 'StructParents'), isTaggable: true };
    walker.walkPage(page.dict, place);
    for (const annotation of file.array(page.dict, 'Annots') ?? []) {
      if (annotation instanceof PdfDict) walker.walkAppearances(annotation, { ...place, isTaggable: false });
    }
  }
}

class Walker {
  readonly #file: PdfFile;
  readonly #visitor: ContentVisitor;
  readonly #visited = new Set<unknown>();

  constructor(file: PdfFile, visitor: ContentVisitor) {
    this.#file = file;
    this.#visitor = visitor;
  }

  walkPage(page: PdfDict, place: ContentPlace): void {
    const contents = this.#file.get(page, 'Contents');
    const streams = contents instanceof PdfStream ? [contents] : (this.#file.array(page, 'Contents') ?? []);
    const parts: Uint8Array[] = [];
    for (const stream of streams) {
      const data = stream instanceof PdfStream ? this.#file.decode(stream) : undefined;
      if (data === undefined) this.#visitor.unreadable(place);
      else parts.push(data, Buffer.from('\n'));
    }
    this.#walk(Buffer.concat(parts), this.#file.dict(page, 'Resources'), place, [], 0);
  }

  walkAppearances(annotation: PdfDict, place: ContentPlace): void {
    const states = this.#file.dicts(this.#file.dict(annotation, 'AP')).map(([, value]) => value);
    const streams = states.flatMap((value) =>
      value instanceof PdfStream ? [value] : this.#file.dicts(value).map(([, inner]) => inner),
    );
    for (const stream of streams) if (stream instanceof PdfStream) this.#walkForm(stream, place, [], 1);
  }

  #walk(
    content: Uint8Array,
    resources: PdfDict | undefined,
    place: ContentPlace,
    outer: readonly Mark[],
    depth: number,
  ): void {
    const marks = [...outer];
    const saved: TextState[] = [];
    let state: TextState = { font: undefined, mode: 0 };
    // Forms begin with the colours of their caller.
    let hasColour = depth > 0;
    let compatibility = 0;
    for (const { operator, operands } of readOperations(content)) {
      if (operands.some(exceedsLimit)) this.#visitor.limit(place);
      if (operands.some(isOddString)) this.#visitor.oddString(place);
      const name = nameOf(operands.at(-1));
      hasColour ||= settingColours.has(operator);
      if (!hasColour && (pathPainting.has(operator) || textShowing.has(operator))) {
        this.#useColourSpace(resources, 'DeviceGray', place);
        hasColour = true;
      }
      if (operator === 'q') {
        saved.push({ ...state });
        if (saved.length === maxSavedStates + 1) this.#visitor.limit(place);
      } else if (operator === 'Q') state = saved.pop() ?? state;
      else if (operator === 'BMC' || operator === 'BDC') this.#openMark(operator, operands, resources, place, marks);
      else if (operator === 'EMC') {
        if (marks.length > outer.length) marks.pop();
      } else if (operator === 'Tf') state.font = this.#resource(resources, 'Font', nameOf(operands[0]), place);
      else if (operator === 'Tr') state.mode = numberOf(operands[0]) ?? 0;
      else if (textShowing.has(operator)) this.#showText(operands, state, marks, place);
      else if (pathPainting.has(operator)) this.#visitor.paint(marks, place);
      else if (operator === 'Do') this.#paintObject(resources, name, place, marks, depth);
      else if (operator === 'gs') this.#useState(this.#resource(resources, 'ExtGState', name, place), place, depth);
      else if (operator === 'ri') this.#visitor.renderingIntent(name ?? '', place);
      else if (operator === 'cs' || operator === 'CS') this.#useColourSpace(resources, name, place);
      else if (operator === 'sh') this.#paintShading(resources, name, place, marks);
      else if (operator === 'ID') this.#paintInlineImage(operands, resources, place, marks);
      else if (operator === 'BX') compatibility++;
      else if (operator === 'EX') compatibility--;
      else if (deviceColours.has(operator)) this.#useColourSpace(resources, deviceColours.get(operator), place);
      else if (!silentOperators.has(operator) && compatibility <= 0) this.#visitor.unknownOperator(operator, place);
      if ((operator === 'scn' || operator === 'SCN') && name !== undefined)
        this.#usePattern(resources, name, place, depth);
    }
  }

  #openMark(
    operator: string,
    operands: readonly Operand[],
    resources: PdfDict | undefined,
    place: ContentPlace,
    marks: Mark[],
  ): void {
    const tag = nameOf(operands[0]) ?? '';
    const mark = { tag, ...this.#propertiesOf(operator === 'BDC' ? operands[1] : undefined, resources) };
    this.#visitor.mark(mark, marks, place);
    if (marks.length < maxMarks) marks.push(mark);
  }

  #propertiesOf(properties: Operand | undefined, resources: PdfDict | undefined): Omit<Mark, 'tag'> {
    if (properties?.kind === 'dict') {
      const language = properties.entries.get('Lang');
      return {
        mcid: numberOf(properties.entries.get('MCID')),
        language: language?.kind === 'string' ? Buffer.from(language.bytes).toString('latin1') : undefined,
      };
    }
    const list = this.#file.dict(resources, 'Properties');
    const found = properties?.kind === 'name' ? this.#file.dict(list, properties.value) : undefined;
    return { mcid: this.#file.number(found, 'MCID'), language: this.#file.text(found, 'Lang') };
  }

  #showText(
    operands: readonly Operand[],
    { font, mode }: TextState,
    marks: readonly Mark[],
    place: ContentPlace,
  ): void {
    this.#visitor.paint(marks, place);
    const last = operands.at(-1);
    const strings = last?.kind === 'array' ? last.items : [last];
    if (font === undefined) return;
    if (this.#file.name(font, 'Subtype') === 'Type3') this.#walkGlyphs(font, place);
    for (const item of strings) {
      if (item?.kind === 'string') this.#visitor.text(font, item.bytes, mode !== invisible, place, marks);
    }
  }

  #walkGlyphs(font: PdfDict, place: ContentPlace): void {
    if (this.#visited.has(font)) return;
    this.#visited.add(font);
    for (const [, glyph] of this.#file.dicts(this.#file.dict(font, 'CharProcs'))) {
      const data = glyph instanceof PdfStream ? this.#file.decode(glyph) : undefined;
      const inner = { ...place, name: `${place.name}, glyph of a font`, isTaggable: false };
      if (data === undefined) this.#visitor.unreadable(inner);
      else this.#walk(data, this.#file.dict(font, 'Resources'), inner, [], maxFormDepth - 1);
    }
  }

  #paintObject(
    resources: PdfDict | undefined,
    name: string | undefined,
    place: ContentPlace,
    marks: readonly Mark[],
    depth: number,
  ): void {
    const object = this.#resource(resources, 'XObject', name, place);
    if (object === undefined) return;
    if (this.#file.name(object, 'Subtype') === 'Form' && object instanceof PdfStream) {
      this.#walkForm(object, place, marks, depth + 1);
      return;
    }
    this.#visitor.paint(marks, place);
    this.#visitImage(object, resources, place, 0);
  }

  #visitImage(image: PdfDict, resources: PdfDict | undefined, place: ContentPlace, depth: number): void {
    this.#visitor.image(image, place);
    // The colours of a soft mask are its opacity, always DeviceGray.
    const space = depth > 0 ? undefined : this.#file.get(image, 'ColorSpace');
    if (space instanceof PdfName) this.#useColourSpace(resources, space.value, place);
    else if (space !== undefined) this.#visitor.colourSpace(space, place);
    const mask = this.#file.dict(image, 'SMask');
    if (mask !== undefined && depth === 0) this.#visitImage(mask, resources, place, 1);
  }

  #walkForm(form: PdfStream, place: ContentPlace, marks: readonly Mark[], depth: number): void {
    const isMarked = marks.length > 0 || !place.isTaggable;
    const key = isMarked ? form : form.data;
    if (this.#visited.has(key) || depth > maxFormDepth) return;
    this.#visited.add(key);
    this.#visitor.form(form, place);
    const data = this.#file.decode(form);
    const structParents = this.#file.number(form, 'StructParents') ?? place.structParents;
    if (data === undefined) this.#visitor.unreadable(place);
    else this.#walk(data, this.#file.dict(form, 'Resources'), { ...place, structParents }, marks, depth);
  }

  #useState(state: PdfDict | undefined, place: ContentPlace, depth: number): void {
    if (state === undefined) return;
    this.#visitor.graphicsState(state, place);
    const group = this.#file.stream(this.#file.dict(state, 'SMask'), 'G');
    if (group !== undefined) this.#walkForm(group, { ...place, isTaggable: false }, [], depth + 1);
  }

  #useColourSpace(resources: PdfDict | undefined, name: string | undefined, place: ContentPlace): void {
    const spaces = this.#file.dict(resources, 'ColorSpace');
    // A default colour space replaces a device's (ISO 32000-1, 8.6.5.6).
    const replacement = defaultColourSpaces[name ?? ''];
    const listed = this.#file.get(spaces, name ?? '') ?? this.#file.get(spaces, replacement ?? '');
    if (listed !== undefined || name !== undefined) this.#visitor.colourSpace(listed ?? name ?? '', place);
  }

  #usePattern(resources: PdfDict | undefined, name: string, place: ContentPlace, depth: number): void {
    const pattern = this.#resource(resources, 'Pattern', name, place);
    if (pattern instanceof PdfStream) this.#walkForm(pattern, { ...place, isTaggable: false }, [], depth + 1);
    const space = this.#file.get(this.#file.dict(pattern, 'Shading'), 'ColorSpace');
    if (space !== undefined) this.#visitor.colourSpace(space, place);
  }

  #paintShading(
    resources: PdfDict | undefined,
    name: string | undefined,
    place: ContentPlace,
    marks: readonly Mark[],
  ): void {
    this.#visitor.paint(marks, place);
    const space = this.#file.get(this.#resource(resources, 'Shading', name, place), 'ColorSpace');
    if (space !== undefined) this.#visitor.colourSpace(space, place);
  }

  #paintInlineImage(
    operands: Operation['operands'],
    resources: PdfDict | undefined,
    place: ContentPlace,
    marks: readonly Mark[],
  ): void {
    this.#visitor.paint(marks, place);
    const readOption = (...keys: readonly string[]): Operand | undefined => {
      const at = operands.findIndex(
        (item, index) => index % 2 === 0 && item.kind === 'name' && keys.includes(item.value),
      );
      return at < 0 ? undefined : operands[at + 1];
    };
    const name = nameOf(readOption('CS', 'ColorSpace'));
    if (name !== undefined) this.#useColourSpace(resources, inlineColourSpaces[name] ?? name, place);
    const isInterpolated = isTrue(readOption('I', 'Interpolate'));
    this.#visitor.inlineImage({ isInterpolated, intent: nameOf(readOption('Intent')) }, place);
  }

  #resource(
    resources: PdfDict | undefined,
    kind: string,
    name: string | undefined,
    place: ContentPlace,
  ): PdfDict | undefined {
    const found = name === undefined ? undefined : this.#file.dict(this.#file.dict(resources, kind), name);
    if (found === undefined) this.#visitor.missingResource(kind, place);
    return found;
  }
}

const defaultColourSpaces: Readonly<Record<string, string>> = {
  DeviceGray: 'DefaultGray',
  DeviceRGB: 'DefaultRGB',
  DeviceCMYK: 'DefaultCMYK',
};
const inlineColourSpaces: Readonly<Record<string, string>> = { G: 'DeviceGray', RGB: 'DeviceRGB', CMYK: 'DeviceCMYK' };

function nameOf(operand: Operand | undefined): string | undefined {
  return operand?.kind === 'name' ? operand.value : undefined;
}

function isTrue(operand: Operand | undefined): boolean {
  return operand?.kind === 'boolean' && operand.value;
}

function numberOf(operand: Operand | undefined): number | undefined {
  return operand?.kind === 'number' ? operand.value : undefined;
}

function isOddString(operand: Operand): boolean {
  if (operand.kind === 'array') return operand.items.some(isOddString);
  return operand.kind === 'string' && operand.isOdd === true;
}

function exceedsLimit(operand: Operand): boolean {
  if (operand.kind === 'name') return operand.value.length > maxNameBytes;
  if (operand.kind === 'number') return Number.isInteger(operand.value) && Math.abs(operand.value) > maxInteger + 1;
  return operand.kind === 'string' && operand.bytes.length > maxStringBytes;
}
