import { TextEdits } from '@docmill/word/text-edits';
import { scanXmlTags } from '@docmill/word/xml-tokens';
import type { ScannedPart } from '../core/compile/scan-template.ts';
import type { Warning } from '../core/warning.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { asDocumentDate } from '../sanitize/date-fields.ts';
import { FieldDisabler } from '../sanitize/disable-fields.ts';

const code = 'date_field';

/**
 * One warning for each part in which a PDF shows the document's date instead of the current time or the file's own
 * dates.
 */
export function datedFields(source: DocxPackage, parts: readonly Pick<ScannedPart, 'name' | 'label'>[]): Warning[] {
  return parts.flatMap(({ name, label }) => {
    const xml = source.readText(name) ?? '';
    const names = /(?:DATE|TIME|PRINTED|SAVED)/i.test(xml) ? namesOfFields(xml) : [];
    if (names.length === 0) return [];
    const [first = '', ...more] = new Set(names);
    const subject = more.length === 0 ? `The field ${first} shows` : `The fields ${[first, ...more].join(', ')} show`;
    const message = `${subject} in a PDF when this version of the template was uploaded, not the time of the request. Send output.documentDate, or write a tag such as {today} instead.`;
    return [{ code, message, part: label, count: names.length }];
  });
}

function namesOfFields(xml: string): string[] {
  const names: string[] = [];
  const fields = new FieldDisabler(xml, new TextEdits(), {
    keepsLinks: () => false,
    onOutside: () => undefined,
    isOutside: () => false,
    rewrite: (instruction) => {
      const name = nameOf(instruction);
      if (name !== undefined) names.push(name);
      return undefined;
    },
  });
  scanXmlTags(xml, (tag) => fields.visit(tag));
  fields.end();
  return names;
}

function nameOf(instruction: string): string | undefined {
  const [, clock] = /^[\s"]*(DATE|TIME)(?![\w])/i.exec(instruction) ?? [];
  if (clock !== undefined) return clock.toUpperCase();
  if (asDocumentDate(instruction) === undefined) return undefined;
  const [, property] = /^[\s"]*(?:INFO[\s"]+|DOCPROPERTY[\s"]+)?(\w+)/i.exec(instruction) ?? [];
  return property;
}
