import type { DataSchema } from '../../../shared/data-schema.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { defaultSyntax, type TemplateSyntax } from '../../../shared/template-syntax.ts';
import type { AccountFamily } from '../account-fonts/account-family.ts';
import { charactersOf } from '../account-fonts/characters-of.ts';
import { compileTemplate } from '../core/compile/compile-template.ts';
import { delimitPackage } from '../core/compile/delimit-package.ts';
import { dropCachedTitles } from '../core/compile/drop-cached-titles.ts';
import { usedNames } from '../core/compile/template-names.ts';
import { exposeWordArt } from '../core/compile/word-art-text.ts';
import { composeTemplate } from '../core/compose-template.ts';
import type { IncludedFiles } from '../core/inclusion.ts';
import type { Warning } from '../core/warning.ts';
import { allFeatures } from '../features.ts';
import { findMissingInTemplate } from '../glyphs/find-missing-glyphs.ts';
import { glyphWarnings } from '../glyphs/glyph-warnings.ts';
import type { PrintableCharacters } from '../glyphs/printable-characters.ts';
import { type DocxPackage, openPackage } from '../package/open-package.ts';
import { validatePackage } from '../package/validate-package.ts';
import { findExternalContent } from '../sanitize/external-content.ts';
import { repairPackage } from '../sanitize/repair/repair-package.ts';
import { inspectAccessibility } from './accessibility/inspect-accessibility.ts';
import { datedFields } from './dated-fields.ts';
import { keptFields } from './kept-fields.ts';
import { outsideLists } from './outside-lists.ts';
import { inferSchema } from './schema/infer-schema.ts';
import { templateWarnings } from './template-warnings.ts';
import { unknownWords } from './unknown-words.ts';
import { usedFonts } from './used-fonts.ts';

/** The result of inspecting an uploaded template. */
export interface TemplateReport {
  /** The names its tags look up, sorted. */
  readonly tags: readonly string[];
  /** Names of the fonts that the document uses, sorted. */
  readonly fonts: readonly string[];
  readonly warnings: readonly Warning[];
  /** Accessibility problems of its documents. */
  readonly accessibility: readonly Warning[];
  /** JSON Schema 2020-12 of the data its tags need. */
  readonly schema: DataSchema;
  /** Data that fits the schema and fills the template. */
  readonly example: JsonObject;
  /** The names or ids of the templates that its own tags include. */
  readonly includes: readonly string[];
}

export interface InspectionOptions {
  /** The syntax of the tags. Default: braces. */
  readonly syntax?: TemplateSyntax | undefined;
  /** The characters that the fonts of PDFs cover. Default: text is not checked. */
  readonly printable?: PrintableCharacters | undefined;
  readonly accountFonts?: readonly AccountFamily[] | undefined;
  /** The files of the templates that it includes. */
  readonly includes?: IncludedFiles | undefined;
  /** The dictionary of the account as JSON; see `parseDictionary`. */
  readonly accountWords?: Uint8Array | undefined;
}

const macrosRemoved: Warning = {
  code: 'macros_removed',
  message: 'The file is a Word template with macros (.dotm). Its documents have no macros.',
};

/**
 * Inspects a template together with those that it includes. Throws `template_invalid` with one detail per mistake, and
 * IncludesNeeded if the template includes others and `includes` is undefined.
 */
export function inspectTemplate(
  bytes: Uint8Array,
  options: InspectionOptions = {},
  features = allFeatures,
): TemplateReport {
  const { syntax = defaultSyntax, includes, accountWords } = options;
  const opened = openPackage(bytes);
  validatePackage(opened);
  const { source, inclusions, templates } = composeTemplate(
    delimitPackage(exposeWordArt(dropCachedTitles(opened, syntax), syntax), syntax),
    features,
    includes,
    syntax,
  );
  const { scanned, parts, dictionaries } = compileTemplate(source, features, { syntax, inclusions, accountWords });
  const warnings = [
    ...(opened.hadMacros === true ? [macrosRemoved] : []),
    ...templateWarnings(source, scanned, features, syntax),
    ...scanned.flatMap((part) => part.warnings),
    ...outsideLists(scanned, parts, syntax),
    ...unknownWords(scanned, dictionaries),
    ...repairPackage(source).warnings,
    ...findExternalContent(source).warnings,
    ...datedFields(source, scanned),
    ...keptFields(source, scanned),
    ...unprintedText(source, options),
  ];
  return {
    tags: usedNames(parts),
    fonts: usedFonts(source),
    warnings,
    accessibility: inspectAccessibility(source),
    ...inferSchema({ parts }),
    includes: templates,
  };
}

function unprintedText(source: DocxPackage, { printable, accountFonts = [] }: InspectionOptions): Warning[] {
  if (printable === undefined) return [];
  return glyphWarnings(findMissingInTemplate(source, printable, charactersOf(accountFonts)), undefined);
}
