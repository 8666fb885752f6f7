import { textContent } from '@docmill/word/xml-tokens';
import { type Feature, oncePerTemplate, type PartScan, type TemplateInput } from '../../core/feature.ts';
import type { FeatureNode, SectionNode } from '../../core/nodes.ts';
import { endOf, isTag, type ParsedPiece } from '../../core/parsed-piece.ts';
import { oncePerRender } from '../../core/render/render-state.ts';
import type { ValueNode } from '../../core/value-node.ts';
import { asText } from '../../language/expressions/as-text.ts';
import { isTruthy } from '../../language/print-value.ts';
import type { TagProblem } from '../../language/scan-tags.ts';
import type { Expression, TagParser } from '../../language/scope.ts';
import type { TagSyntaxes } from '../../language/tag.ts';
import { type Checkbox, glyphRun, readCheckbox, withoutBraces, withState } from './checkbox.ts';
import { type Binding, boundName, readBinding, readStores, type Stores, withBoundValues } from './data-binding.ts';
import { displayed, type ListItems, readListItems } from './list-items.ts';
import { type Filling, mayHaveControls, titleTag, writeTitleTags } from './title-tags.ts';

const storesOf = oncePerTemplate(({ original }: TemplateInput) => readStores(original));

/**
 * Content controls that their title or their data binding fills: text, dates, lists, pictures and repeating sections.
 * Runs before the features that read the tags it writes.
 */
export const controlTitles: Feature = {
  name: 'control-titles',
  openPart: ({ xml, template }) => {
    if (!mayHaveControls(xml)) return undefined;
    const stores = storesOf(template);
    return {
      xml: writeTitleTags(xml, (properties, content, around) => fillingOf(properties, content, around, stores)),
    };
  },
};

/** Content controls: checkboxes whose title is a tag, and controls with tags in their text. */
export const controls: Feature = {
  name: 'controls',
  openPart: ({ features: { syntaxes }, template }) => ({
    scan: (xml) => scanCheckboxes(xml, syntaxes),
    extract: (pieces, { parser }) => extractControls(pieces, { parser, syntaxes, stores: storesOf(template) }, false),
  }),
  *finishRender(render) {
    for (const [part, values] of boundValues({ render })) {
      const xml = render.source.readText(part);
      if (xml !== undefined) yield [part, Buffer.from(withBoundValues(xml, values))];
    }
  },
};

/** The values of bound controls, by the custom XML part that keeps them. */
const boundValues = oncePerRender(() => new Map<string, [Binding, string][]>());

interface Engine {
  readonly parser: TagParser;
  readonly syntaxes: TagSyntaxes;
  readonly stores: Stores;
}

const controlProperties = /<w:sdtPr(?:\s[^>]*)?>[\s\S]*?<\/w:sdtPr\s*>/g;

/** Finds the checkboxes with a tag in their title, and the mistakes in those tags. */
function scanCheckboxes(xml: string, syntaxes: TagSyntaxes): PartScan {
  if (!xml.includes('<w14:checkbox')) return {};
  let hasTags = false;
  const problems: TagProblem[] = [];
  for (const [text] of xml.matchAll(controlProperties)) {
    const checkbox = readCheckbox(text, syntaxes);
    if (checkbox === undefined) continue;
    hasTags = true;
    const { formula, problem } = checkbox;
    if (problem === undefined) continue;
    const tag = /[{}]/.test(formula) ? formula : `{${formula}}`;
    const message = `the tag ${tag} in the title of a checkbox is not valid: ${problem.message}`;
    problems.push({ message, tag, offset: Number.MAX_SAFE_INTEGER, hint: problem.hint });
  }
  return { hasTags, keepsControlsWith: 'w14:checkbox', problems };
}

/**
 * Prepares the content controls of a part. Checkboxes with a tag in their title take their state and glyph from data.
 * Controls with tags in their text lose their data binding, from which Word would overwrite them on opening.
 */
function extractControls(pieces: readonly ParsedPiece[], engine: Engine, isRepeated: boolean): readonly ParsedPiece[] {
  const extracted: ParsedPiece[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    if (piece === undefined) continue;
    if (piece.subparsed !== undefined)
      extracted.push({ ...piece, subparsed: extractControls(piece.subparsed, engine, true) });
    else extracted.push(piece);
    const content = isTag(piece, 'w:sdt', 'start') ? contentOf(pieces, i) : undefined;
    if (content === undefined) continue;
    const properties = pieces
      .slice(i + 1, content.start)
      .map(({ value }) => value)
      .join('');
    const inside = pieces.slice(content.start, content.end);
    const checkbox = readCheckbox(properties, engine.syntaxes);
    if (checkbox?.problem === undefined && checkbox !== undefined && !inside.some(isFilled)) {
      for (const own of checkboxPieces(checkbox, properties, inside, engine.parser)) extracted.push(own);
      i = content.end - 1;
    } else {
      const filled = inside.filter(isFilled);
      const [only] = filled;
      const binding = readBinding(properties, engine.stores);
      const isOwn = titleTag(properties) !== undefined || binding !== undefined;
      const isBound =
        isOwn && !isRepeated && filled.length === 1 && only?.module === undefined && only?.node === undefined;
      if (isBound && only !== undefined && binding !== undefined)
        extracted.push(bindingPiece(binding, engine.parser(only.value.replace(/\|\s*datePicture:.*$/s, '').trim())));
      const keepsBinding = isBound && binding !== undefined && /<w:text[\s/>]/.test(properties);
      const clean = isOwn ? withoutBraces(properties) : properties;
      const value = filled.length === 0 ? clean : keepsBinding ? withoutPlaceholder(clean) : withoutSources(clean);
      extracted.push({ type: 'content', value });
      const items = isOwn ? readListItems(properties) : undefined;
      if (items === undefined) i = content.start - 1;
      else {
        for (const own of inside) extracted.push(isFilled(own) ? listPiece(own, properties, items, engine) : own);
        i = content.end - 1;
      }
    }
  }
  return extracted;
}

/** The range from the start tag of `w:sdtContent` to the end tag of the control. */
function contentOf(pieces: readonly ParsedPiece[], at: number): { start: number; end: number } | undefined {
  const end = endOf(pieces, at, 'w:sdt');
  if (end === undefined) return undefined;
  for (let start = at + 1; start < end; start++) {
    const piece = pieces[start];
    if (piece === undefined || isFilled(piece)) return undefined;
    if (isTag(piece, 'w:sdtContent', 'start')) return { start, end };
  }
  return undefined;
}

function isFilled(piece: ParsedPiece): boolean {
  return piece.type === 'placeholder' && !(piece.node?.kind === 'feature' && piece.node.isTransparent === true);
}

const sources =
  /<w(?:15)?:dataBinding\b[^>]*?(?:\/>|>\s*<\/w(?:15)?:dataBinding>)|<w:showingPlcHdr\b[^>]*?(?:\/>|>\s*<\/w:showingPlcHdr>)|(?<=<w:date)\sw:fullDate=(?:"[^"]*"|'[^']*')/g;

function withoutSources(properties: string): string {
  return properties.replace(sources, '');
}

function withoutPlaceholder(properties: string): string {
  return properties.replace(/<w:showingPlcHdr\b[^>]*?(?:\/>|>\s*<\/w:showingPlcHdr>)/g, '');
}

/** Notes the value for the custom XML part, from which Word fills the control when it opens the document. */
function bindingPiece(binding: Binding, expression: Expression): ParsedPiece {
  const render: FeatureNode['render'] = (scope, state) => {
    const text = asText(expression.evaluate(scope));
    if (text === undefined) return;
    const all = boundValues(state);
    const values = all.get(binding.part) ?? [];
    values.push([binding, text]);
    all.set(binding.part, values);
  };
  return { type: 'placeholder', value: '', node: { kind: 'feature', render, isTransparent: true } };
}

/** The kinds of controls that hold plain values, which may come from their binding. */
const plainKinds = /<w:(?:text|date|dropDownList|comboBox)[\s/>]/;

function fillingOf(
  properties: string,
  content: string,
  around: Binding | undefined,
  stores: Stores,
): Filling | undefined {
  const binding = readBinding(properties, stores);
  const expression = titleTag(properties);
  const isSection = properties.includes('<w15:repeatingSection');
  const inItem = isSection ? binding : undefined;
  if (expression !== undefined) return { expression, around: inItem };
  const name = binding === undefined ? undefined : boundName(binding, around);
  if (name === undefined) return undefined;
  if (isSection) {
    const [last = ''] = name.split('.').slice(-1);
    const list = name.split('.').slice(0, -1).join('.');
    const names = [list, name, last].filter((one) => one !== '');
    return { expression: `$field[${quoted(names.join('|'))}]`, around: inItem };
  }
  if (!plainKinds.test(properties)) return undefined;
  const saved = properties.includes('<w:showingPlcHdr')
    ? ''
    : textContent(content.replace(/<w:rPr>[\s\S]*?<\/w:rPr>/g, ''));
  return { expression: `$field[${quoted(name)}] ?? ${quoted(saved)}` };
}

function quoted(text: string): string {
  const escaped = text.replace(/["\\“”„‟″«»]/g, '\\$&');
  return `"${escaped.replace(/[{}]/g, (brace) => (brace === '{' ? '\\x7b' : '\\x7d'))}"`;
}

function checkboxPieces(
  checkbox: Checkbox,
  properties: string,
  content: readonly ParsedPiece[],
  parser: TagParser,
): ParsedPiece[] {
  const clean = withoutBraces(withoutSources(properties));
  const expression = truthOf(parser(checkbox.formula));
  const choose = (xml: (isChecked: boolean) => string) =>
    [true, false].map((isChecked) => choice(checkbox.formula, expression, isChecked, xml(isChecked)));
  const from = content.findIndex((piece) => isTag(piece, 'w:r', 'start'));
  const to = from === -1 ? undefined : endOf(content, from, 'w:r');
  if (to === undefined) return [...choose((isChecked) => withState(clean, isChecked)), ...content];
  const run = content
    .slice(from, to + 1)
    .map(({ value }) => value)
    .join('');
  const runProperties = /<w:rPr(?:\s[^>]*)?>[\s\S]*?<\/w:rPr>/.exec(run)?.[0] ?? '';
  return [
    ...choose((isChecked) => withState(clean, isChecked)),
    ...content.slice(0, from),
    ...choose((isChecked) => glyphRun(isChecked ? checkbox.checked : checkbox.unchecked, runProperties)),
    ...content.slice(to + 1),
  ];
}

/** The only tag in a list, which prints the text of the item that the data name. */
function listPiece(piece: ParsedPiece, properties: string, items: ListItems, { parser }: Engine): ParsedPiece {
  const tag = piece.value.trim();
  const runProperties = /<w:rPr>[\s\S]*?<\/w:rPr>/.exec(properties)?.[0] ?? '';
  const expression = displayed(parser(tag), items);
  const node: ValueNode = { kind: 'value', expression, tag, host: 'run', runProperties, mayLink: false };
  return { type: 'placeholder', value: '', node };
}

function choice(tag: string, expression: Expression, isChecked: boolean, xml: string): ParsedPiece {
  const body = [{ kind: 'text', xml, mark: undefined }] as const;
  const node: SectionNode = { kind: 'section', tag, expression, isInverted: !isChecked, body, layout: undefined };
  return { type: 'placeholder', value: '', node };
}

/** Reduces the value to true or false, by the rule of sections: a non-empty list checks the box once. */
function truthOf(expression: Expression): Expression {
  return {
    evaluate: (scope) => isTruthy(expression.evaluate(scope)),
    locate: (scope) => expression.locate(scope),
    uses: () => expression.uses('truth'),
  };
}
