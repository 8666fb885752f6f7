import { defaultSyntax, type TemplateSyntax } from '../../shared/template-syntax.ts';
import type { AccountFamily } from './account-fonts/account-family.ts';
import { charactersOf } from './account-fonts/characters-of.ts';
import { type AccountFontUse, useAccountFonts } from './account-fonts/use-account-fonts.ts';
import { compileTemplate } from './core/compile/compile-template.ts';
import { delimitPackage } from './core/compile/delimit-package.ts';
import { dropCachedTitles } from './core/compile/drop-cached-titles.ts';
import { isTemplatedPart } from './core/compile/templated-parts.ts';
import { exposeWordArt, partsWithWordArt, restoreWordArt } from './core/compile/word-art-text.ts';
import { composeTemplate } from './core/compose-template.ts';
import type { Features } from './core/feature.ts';
import type { IncludedFiles } from './core/inclusion.ts';
import { notePartsOf } from './core/notes/note-parts.ts';
import type { Assets } from './core/render/assets.ts';
import { unusedData } from './core/render/data-warnings.ts';
import { datedProperties } from './core/render/dated-properties.ts';
import { keepBrokenLines, mayJustify } from './core/render/keep-broken-lines.ts';
import { parseData } from './core/render/parse-data.ts';
import { type RenderOptions, resolveOptions } from './core/render/render-options.ts';
import { type CompiledParts, type FilledParts, renderParts } from './core/render/render-parts.ts';
import { splitParagraphs } from './core/render/split-paragraphs.ts';
import type { UnprintedPictures } from './core/render/unprinted-pictures.ts';
import type { Warning } from './core/warning.ts';
import { allFeatures } from './features.ts';
import { separatorsOf } from './fields/format-number.ts';
import { isStory, updateDocument } from './fields/update-document.ts';
import { mayHaveComputedFields } from './fields/update-fields.ts';
import { inFinalForm } from './final-form/in-final-form.ts';
import { findMissingGlyphs } from './glyphs/find-missing-glyphs.ts';
import { glyphError, glyphWarnings } from './glyphs/glyph-warnings.ts';
import type { MissingGlyphs } from './glyphs/missing-groups.ts';
import type { PrintableCharacters } from './glyphs/printable-characters.ts';
import { type DocxPackage, openPackage } from './package/open-package.ts';
import { overlayPackage } from './package/overlay-package.ts';
import { writePackage } from './package/write-package.ts';
import { hasDecimalTabs, isKnownGroup, withDecimalSymbol } from './sanitize/decimal-symbol.ts';
import { dropCommentMarks } from './sanitize/drop-comment-marks.ts';
import { findExternalContent } from './sanitize/external-content.ts';
import { numberAuthors } from './sanitize/number-authors.ts';
import { repairPackage } from './sanitize/repair/repair-package.ts';
import { sanitizePackage } from './sanitize/sanitize-package.ts';
import { testWatermark } from './watermark/test-watermark.ts';

export type RenderTarget = 'docx' | 'pdf';

/** A parsed template that can be filled any number of times. */
export interface PreparedTemplate extends CompiledParts {
  /** The keys of `data` that its tags may read. */
  readonly rootKeys: ReadonlySet<string>;
  readonly target: RenderTarget;
  readonly warnings: readonly Warning[];
  /** Parts (lower-case names) with links that can only be validated when they are filled. */
  readonly keptLinks: ReadonlySet<string>;
  /** The parts with fields that are computed when it is filled. */
  readonly fieldParts: readonly string[];
  /** Whether some text may be justified. */
  readonly mayJustify: boolean;
  /** Whether a document for a converter needs the decimal symbol of its language. */
  readonly hasDecimalTabs: boolean;
  /** The parts with texts of WordArt in runs. */
  readonly wordArtParts: readonly string[];
  /** Approximate memory use. */
  readonly sizeBytes: number;
}

export interface FilledTemplate {
  readonly file: Buffer;
  readonly warnings: readonly Warning[];
  /** Aliases of the account's font families that a document for `pdf` uses. */
  readonly fontAliases: readonly string[];
  /** Whether it has fields that depend on its pages: see `pageVariants`. */
  readonly hasPageFields: boolean;
}

export interface PrepareOptions {
  readonly features?: Features | undefined;
  /** See `RenderOptions`. */
  readonly isLiteral?: boolean | undefined;
  /** The syntax of the tags. Default: braces. */
  readonly syntax?: TemplateSyntax | undefined;
  /** The files of the templates that it includes. */
  readonly includes?: IncludedFiles | undefined;
  /** The dictionary of the account as JSON; see `parseDictionary`. */
  readonly accountWords?: Uint8Array | undefined;
}

/**
 * Opens and parses a template. For `pdf`, first removes content that must not reach a converter. Throws IncludesNeeded
 * if the template includes others and `includes` is undefined.
 */
export function prepareTemplate(
  bytes: Uint8Array,
  target: RenderTarget,
  { features = allFeatures, isLiteral = false, syntax = defaultSyntax, includes, accountWords }: PrepareOptions = {},
): PreparedTemplate {
  const opened = openPackage(bytes);
  const {
    source: original,
    sizeBytes: includedBytes,
    inclusions,
  } = isLiteral
    ? withoutIncludes(opened)
    : composeTemplate(
        delimitPackage(exposeWordArt(dropCachedTitles(opened, syntax), syntax), syntax),
        features,
        includes,
        syntax,
      );
  const { source, warnings, keptLinks } = target === 'pdf' ? sanitized(original, features) : unchanged(original);
  const { parts, rootKeys, dictionaries, scanned } = isLiteral
    ? nothingToFill
    : compileTemplate(source, features, { syntax, original, inclusions, accountWords });
  const wordBytes = dictionaries.length > 1 ? bytesPerWordByte * (accountWords?.byteLength ?? 0) : 0;
  const keptBytes = bytes.byteLength + includedBytes + wordBytes;
  const sizeBytes = parts.reduce((sum, part) => sum + nodeBytesPerChar * part.sizeChars, keptBytes);
  const noteParts = notePartsOf(source);
  const compiled = { source, parts, features, delimiters: syntax, dictionaries, rootKeys, noteParts };
  const written = new Map(scanned.map(({ name, collapsed }) => [name, collapsed]));
  // Features may also write fields.
  const hasFields = (name: string): boolean => {
    const { xml, stretches = [] } = written.get(name) ?? { xml: '' };
    return [source.readText(name) ?? '', xml, ...stretches.map((one) => one.xml)].some(mayHaveComputedFields);
  };
  const fieldParts = source.partNames.filter((name) => isStory(source, name) && hasFields(name));
  const wordArtParts = isLiteral ? [] : partsWithWordArt(source);
  return {
    ...compiled,
    target,
    warnings,
    keptLinks,
    fieldParts,
    wordArtParts,
    mayJustify: mayJustify(source),
    hasDecimalTabs: target === 'pdf' && hasDecimalTabs(source),
    sizeBytes,
  };
}

const nodeBytesPerChar = 4;
const bytesPerWordByte = 4;
const nothingToFill = { parts: [], rootKeys: new Set<string>(), dictionaries: [], scanned: [] };
const withoutIncludes = (source: DocxPackage) => ({ source, sizeBytes: 0, inclusions: [] });

type Opened = Pick<PreparedTemplate, 'source' | 'warnings' | 'keptLinks'>;

function unchanged(source: DocxPackage): Opened {
  return { source, warnings: findExternalContent(source).warnings, keptLinks: new Set() };
}

function sanitized(original: DocxPackage, { all }: Features): Opened {
  const keptLinks = new Set<string>();
  const keepsLinks = (name: string) => isTemplatedPart(original, name) && keptLinks.add(name.toLowerCase()).size > 0;
  const { changes: removals, warnings: ofRemovals } = sanitizePackage(original, { keepsLinks, keepsConditions: true });
  const { changes: repairs, warnings: ofRepairs } = repairPackage(overlayPackage(original, removals));
  const changes = new Map([...removals, ...repairs]);
  const warnings = [...ofRemovals, ...ofRepairs];
  const clean = overlayPackage(original, changes);
  const uncommented = dropCommentMarks(clean);
  const numbered = numberAuthors(overlayPackage(clean, uncommented));
  const stripped = overlayPackage(overlayPackage(clean, uncommented), numbered);
  const pointed = withDecimalSymbol(stripped, '.');
  const prepared = all.flatMap(({ prepareForConverter }) => [...(prepareForConverter?.(stripped) ?? [])]);
  const edited = new Map([...changes, ...uncommented, ...numbered, ...pointed, ...prepared]);
  const source = edited.size === 0 ? original : openPackage(writePackage(original, edited));
  return { source, warnings, keptLinks };
}

/** Resources for a render besides the template and the data. */
export interface RenderResources {
  readonly assets?: Assets | undefined;
  /** Checks a PDF's text for characters that no font has. Default: no check. */
  readonly printable?: PrintableCharacters | undefined;
  /** The font families of the account, for target `pdf`. */
  readonly accountFonts?: readonly AccountFamily[] | undefined;
}

/** Fills a prepared template with the request's `data` (raw JSON). Throws AssetsNeeded for assets that were not passed. */
export function renderTemplate(
  template: PreparedTemplate,
  data: Uint8Array,
  options: RenderOptions = {},
  { assets, printable, accountFonts = [] }: RenderResources = {},
): FilledTemplate {
  const resolved = resolveOptions(options);
  const values = parseData(data);
  const { parts, warnings, unprinted, copies } = renderParts(template, values, resolved, assets);
  const split = splitParagraphs(parts);
  const broken = template.mayJustify ? keepBrokenLines(template.source, split) : new Map<string, Buffer>();
  const dated =
    options.documentDate === undefined
      ? new Map([...split, ...broken])
      : new Map([
          ...split,
          ...broken,
          ...datedProperties(overlayPackage(template.source, split), options.documentDate),
        ]);
  const updated = updateDocument(
    template.source,
    restoreWordArt(template.source, dated, withCopies(template.wordArtParts, copies)),
    {
      parts: withCopies(template.fieldParts, copies),
      locale: resolved.locale,
      fileName: options.fileName,
      isForConverter: template.target === 'pdf',
    },
  );
  const ofFilling = [
    ...warnings,
    ...updated.warnings,
    ...unusedData(values, template.rootKeys, options.keysReadElsewhere),
  ];
  const filled = { parts: updated.parts, warnings: [...template.warnings, ...ofFilling] };
  const ofPictures = unprinted.count === 0 ? [] : [inPictures(unprinted)];
  if (template.target === 'pdf') {
    const ofTabs = template.hasDecimalTabs
      ? alignDecimals(overlayPackage(template.source, filled.parts), resolved.locale)
      : noTabs;
    const withTabs = { ...filled, parts: new Map([...filled.parts, ...ofTabs.parts]) };
    const { warnings: ofConverter, ...converted } = fillForConverter(template, withTabs, accountFonts);
    const ofText = findGlyphs(template, converted.changes, printable, accountFonts);
    const ofGlyphs = glyphWarnings([...ofText, ...ofPictures], values);
    if (ofGlyphs.length > 0 && options.onMissingGlyph === 'error') throw glyphError(ofGlyphs);
    const { docx, fontAliases } = converted;
    const { hasPageFields } = updated;
    return { file: docx, warnings: [...ofConverter, ...ofTabs.warnings, ...ofGlyphs], fontAliases, hasPageFields };
  }
  const isExternal = template.warnings.some(({ code }) => code === 'external_content' || code === 'signature_invalid');
  const external =
    isExternal && options.externalContent === 'remove'
      ? findExternalContent(overlayPackage(template.source, filled.parts)).changes
      : new Map<string, Uint8Array | null>();
  const kept = new Map([...filled.parts, ...external]);
  const finished = inFinalForm(overlayPackage(template.source, kept), options.docx ?? {});
  const changes = new Map([...kept, ...finished]);
  const marks = options.hasTestWatermark === true ? testWatermark(overlayPackage(template.source, changes)) : [];
  const file = writePackage(template.source, new Map([...changes, ...marks]));
  return {
    file,
    warnings: [...filled.warnings, ...glyphWarnings(ofPictures, values)],
    fontAliases: [],
    hasPageFields: false,
  };
}

/** The parts, with their copies in this document. */
function withCopies(names: readonly string[], copies: ReadonlyMap<string, string>): readonly string[] {
  if (copies.size === 0) return names;
  const known = new Set(names);
  return [...names, ...[...copies].flatMap(([copy, of]) => (known.has(of) ? [copy] : []))];
}

const noTabs = { parts: new Map<string, Buffer>(), warnings: [] };

/** Decimal tabs align at the decimal separator of the language. */
function alignDecimals(source: DocxPackage, locale: string): Pick<FilledParts, 'parts' | 'warnings'> {
  const { decimal, group } = separatorsOf(locale);
  const message = `Decimal tabs align numbers of a thousand and more at their first separator of thousands in "${locale}". PDFs align them correctly in languages that separate thousands by a point, a comma or an apostrophe (').`;
  const warnings = isKnownGroup(group) ? [] : [{ code: 'decimal_tab', message }];
  return { parts: withDecimalSymbol(source, decimal), warnings };
}

interface ForConverter {
  readonly docx: Buffer;
  /** The changes of the template's parts, with the names of fonts that the document has. */
  readonly changes: ReadonlyMap<string, Uint8Array | null>;
  readonly warnings: readonly Warning[];
  readonly fontAliases: readonly string[];
}

const noFonts: AccountFontUse = { changes: new Map(), aliases: [] };

// The template is clean, but a value may complete a field instruction that LibreOffice reads across runs.
function fillForConverter(
  { source, keptLinks }: PreparedTemplate,
  { parts, warnings }: Pick<FilledParts, 'parts' | 'warnings'>,
  accountFonts: readonly AccountFamily[],
): ForConverter {
  const cleanParts = new Set(source.partNames.filter((name) => !parts.has(name) && !keptLinks.has(name.toLowerCase())));
  const again = sanitizePackage(overlayPackage(source, parts), { cleanParts, keepsConditions: true });
  const changes = new Map([...parts, ...again.changes]);
  const ofFonts = accountFonts.length === 0 ? noFonts : useAccountFonts(overlayPackage(source, changes), accountFonts);
  const docx = writePackage(source, new Map([...changes, ...ofFonts.changes]), { compression: 'store' });
  return { docx, changes, warnings: [...warnings, ...again.warnings], fontAliases: ofFonts.aliases };
}

function findGlyphs(
  { source }: PreparedTemplate,
  changes: ReadonlyMap<string, Uint8Array | null>,
  printable: PrintableCharacters | undefined,
  accountFonts: readonly AccountFamily[],
): MissingGlyphs[] {
  if (printable === undefined) return [];
  const filled = overlayPackage(source, changes);
  return findMissingGlyphs(filled, source, changes, printable, charactersOf(accountFonts));
}

/** SVG pictures of the data become bitmaps, so their text is drawn here and not by the converter. */
function inPictures({ characters, paths, count }: UnprintedPictures): MissingGlyphs {
  return { part: 'SVG picture', font: undefined, context: '', characters, paths, count };
}
