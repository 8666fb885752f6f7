import { UnknownFeature } from '../unknown-feature.ts';
import { type Attempt, nothing, strictly } from './attempt.ts';
import { overrideAutoSpacing, resolveAutoSpacing } from './auto-spacing.ts';
import { isKeptParagraph } from './kept-elements.ts';
import { keepParagraph, keptParagraph } from './kept-paragraphs.ts';
import { overlay, withTable } from './overlay-formats.ts';
import type { ParagraphContext } from './paragraph-context.ts';
import { type InheritedFormat, readParagraphFormat } from './paragraph-format.ts';
import { InlineReader } from './read-inlines.ts';
import type { OutlineEntry, Paragraph, ParagraphFormat } from './tree.ts';
import { childOf, type XmlElement } from './xml-element.ts';

/** Reads a `w:p` (ECMA-376 part 1, 17.3.1). Throws UnknownFeature for unsupported content. */
export function readParagraph(element: XmlElement, context: ParagraphContext): Paragraph {
  if (!isKeptParagraph(element) || context.attempt !== strictly || context.contents?.isOpen === true)
    return readAnew(element, context);
  const known = keptParagraph(element, context);
  if (known !== undefined) return known;
  const paragraph = readAnew(element, context);
  keepParagraph(element, context, paragraph);
  return paragraph;
}

function readAnew(element: XmlElement, context: ParagraphContext): Paragraph {
  const properties = childOf(element, 'w:pPr');
  const named = (properties && childOf(properties, 'w:pStyle'))?.attributes.get('w:val');
  const style = named ?? context.styles.defaultParagraph;
  if (named !== undefined && context.tableParagraph !== undefined)
    context.attempt(() => requireStyle(named, context.styles), nothing);
  const yields = context.yieldsToTable === true && style === context.styles.defaultParagraph;
  const base = yields ? context.styles.yieldingStyle : context.styles.paragraphStyle(style);
  const inherited = withTable(base.paragraph, context.tableParagraph, base.ownParagraph);
  const own = readOwnFormat(properties, base.paragraph, context.attempt);
  // Indents in the properties that refer to the list take precedence over the indents of the list (17.9.22).
  const ofList = own.numbering && context.numbering.levelOf(own.numbering.id, own.numbering.level)?.paragraph;
  const format = resolveAutoSpacing(
    overlay(overlay(inherited, ofList), own),
    context.autoSpacing,
    context.tableParagraph,
  );
  const leavesList = own.numbering?.id === '0' && inherited.numbering.id !== '0';
  context.attempt(() => requireKnownFormat(leavesList, context.hyphenates && !format.keepsWords), nothing);
  const inheritedRun = withTable(base.run, context.tableRun, base.ownRun);
  const mark = overlay(inheritedRun, context.styles.runFormat(properties && childOf(properties, 'w:rPr')));
  const reader = new InlineReader(inheritedRun, context);
  if (format.numbering.id !== '0') context.attempt(() => reader.label(format, mark), nothing);
  for (const child of element.children) if (child.name !== 'w:pPr') reader.read(child);
  const content = reader.end();
  const outline = context.attempt(() => readOutline(reader, format, context.hasOutline), nothing);
  const keepsItself = own.keepsWithNext === true;
  const styleHalfPoints = base.run.halfPoints;
  return { kind: 'paragraph', style, format, ...content, keepsItself, styleHalfPoints, mark, outline };
}

function readOutline(reader: InlineReader, format: ParagraphFormat, hasOutline: boolean): OutlineEntry | undefined {
  const entry = reader.outline(format);
  if (entry !== undefined && !hasOutline) throw new UnknownFeature('a heading in a header, footer or note');
  return entry;
}

/**
 * If the style of the last paragraph in a cell is missing, LibreOffice takes the paragraph before the table for a part
 * of the cell.
 */
function requireStyle(id: string, styles: ParagraphContext['styles']): void {
  if (styles.nameOf(id) === undefined) throw new UnknownFeature('a missing style in a table');
}

function requireKnownFormat(leavesList: boolean, mayBeHyphenated: boolean): void {
  if (leavesList) throw new UnknownFeature('a paragraph taken out of its list');
  // The hyphenated words depend on LibreOffice's dictionaries.
  if (mayBeHyphenated) throw new UnknownFeature('a paragraph that may be hyphenated');
}

interface OwnFormat {
  readonly inherited: InheritedFormat;
  readonly format: Partial<ParagraphFormat>;
}

const noFormat: Partial<ParagraphFormat> = {};
/** Keyed by the properties element. Groups of properties with equal text are parsed into one shared element. */
const ownFormats = new WeakMap<XmlElement, OwnFormat>();

function readOwnFormat(
  properties: XmlElement | undefined,
  inherited: InheritedFormat,
  attempt: Attempt,
): Partial<ParagraphFormat> {
  if (properties === undefined) return noFormat;
  const known = ownFormats.get(properties);
  if (known?.inherited === inherited) return known.format;
  const format = overrideAutoSpacing(readParagraphFormat(properties, inherited, attempt), inherited);
  ownFormats.set(properties, { inherited, format });
  return format;
}
