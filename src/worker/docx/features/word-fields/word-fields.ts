import { isLocale } from '../../../../shared/is-locale.ts';
import { type Feature, oncePerTemplate, type TemplateInput } from '../../core/feature.ts';
import type { Warning } from '../../core/warning.ts';
import { foldName } from '../../language/field-path.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { blockExpression, mappedNames } from './address-blocks.ts';
import type { FieldSettings } from './expressions.ts';
import { type TranslatedFields, translateFields } from './translate-fields.ts';

/**
 * Fields of Word that data fill: those of its mail merge, IF with data in its operands, document variables and custom
 * properties. Before tags are read, each field becomes tags, which are then filled like any others.
 */
export const wordFields: Feature = {
  name: 'word-fields',
  openPart: ({ name, source, xml, template }) => {
    if (!mayHaveFields(xml)) return undefined;
    const ofPart = { hasRecords: hasRecords(xml), isBody: name === source.mainPart };
    const { xml: translated, unfilled } = translateFields(xml, { ...settingsOf(template), ...ofPart });
    return { xml: translated, scan: () => ({ warnings: warningsOf(unfilled) }) };
  },
  withoutFilled: (xml) => (mayHaveFields(xml) ? translateFields(xml, withoutTemplate).xml : xml),
};

const mark = /<w:(?:instrText|fldSimple)\b/;

/** The words may be split across runs. A false match only costs the time to read the fields. */
function hasRecords(xml: string): boolean {
  return /\b(?:NEXT|NEXTIF|SKIPIF)\b/i.test(xml.replace(/<[^>]*>/g, ''));
}

function mayHaveFields(xml: string): boolean {
  return mark.test(xml);
}

/** For reading where fields are, not what they print. */
const withoutTemplate: FieldSettings = {
  languageOf: () => undefined,
  blockOf: () => '""',
  ownsProperty: () => false,
  spellingOf: (name) => name,
  hasRecords: false,
  isBody: false,
};

function warningsOf(unfilled: TranslatedFields['unfilled']): Warning[] {
  return unfilled.map(({ field, problem }) => ({
    code: 'field_not_filled',
    message: `The field ${field} ${problem}.`,
  }));
}

/** The properties that every document has (ECMA-376 part 1, 17.16.5.16). Their fields show the document's own values. */
const builtIn =
  /^(?:author|bytes|category|characters|characterswithspaces|comments|company|createtime|hyperlinkbase|keywords|lastprinted|lastsavedby|lastsavedtime|lines|manager|nameofapplication|odmadocid|pages|paragraphs|revisionnumber|security|subject|template|title|totaleditingtime|words)$/i;

const settingsOf = oncePerTemplate(({ original }: TemplateInput): Omit<FieldSettings, 'hasRecords' | 'isBody'> => {
  const styles = textOfType(original, 'wordprocessingml.styles');
  const language = languageIn(/<w:docDefaults>[\s\S]*?<\/w:docDefaults>/.exec(styles)?.[0] ?? '');
  const spellings = new Map<string, string>();
  const mapped = mappedNames(textOfType(original, 'wordprocessingml.settings'));
  const tagged = taggedProperties(textOfType(original, 'custom-properties'));
  return {
    spellingOf: (name) => {
      const folded = foldName(name);
      const known = spellings.get(folded) ?? name;
      spellings.set(folded, known);
      return known;
    },
    languageOf: (run) => languageIn(run) ?? language,
    blockOf: (instruction) => blockExpression(instruction, mapped),
    ownsProperty: (name) => builtIn.test(name) || tagged.has(name.toLowerCase()),
  };
});

function textOfType(source: DocxPackage, type: string): string {
  const contentType = `application/vnd.openxmlformats-officedocument.${type}+xml`;
  const name = source.partNames.find((part) => source.contentType(part) === contentType);
  return name === undefined ? '' : (source.readText(name) ?? '');
}

function languageIn(properties: string): string | undefined {
  const [, language = ''] = /<w:lang\b[^>]*?\bw:val="([^"]*)"/.exec(properties) ?? [];
  return language !== '' && isLocale(language) ? language : undefined;
}

/** The custom properties whose own value has tags, by lower-case name. */
function taggedProperties(xml: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [property, name = ''] of xml.matchAll(/<property\b[^>]*?\bname="([^"]*)"[^>]*>[^<]*<[^>]*>[^<]*/g))
    if (property.includes('{')) names.add(name.toLowerCase());
  return names;
}
