import type { XmlAttribute } from '@docmill/word/xml-tokens';

const maxChars = 2_000;
const name = '(?:[\\w.-]+:)?[\\w.-]+';
const predicate = `\\[(?:\\d{1,6}|@?${name}\\s*=\\s*(?:'[^'\\[\\]]*'|"[^"\\[\\]]*"))\\]`;
const step = `(?:@?${name}|\\*|text\\(\\)|node\\(\\))(?:${predicate}){0,4}`;
/** A path made of the steps that Word writes. Anything else may fail or take long to evaluate. */
const path = new RegExp(`^\\s*/{1,2}${step}(?:/${step}){0,60}\\s*$`);
const mappings = /^(?:\s*xmlns:[\w.-]+\s*=\s*(?:'[^']*'|"[^"]*"))*\s*$/;

/** Whether LibreOffice can evaluate the path and the prefixes of a `w:dataBinding` (ECMA-376 part 1, 17.5.2.6). */
export function canEvaluateDataBinding(attributes: readonly XmlAttribute[]): boolean {
  const textOf = (local: string) => attributes.find((attribute) => attribute.local === local)?.value ?? '';
  const [xpath, prefixes] = [textOf('xpath'), textOf('prefixMappings')];
  if (xpath === '') return true;
  if (xpath.length > maxChars || prefixes.length > maxChars || !path.test(xpath) || !mappings.test(prefixes))
    return false;
  const declared = new Set(Array.from(prefixes.matchAll(/xmlns:([\w.-]+)/g), ([, prefix]) => prefix));
  const plain = xpath.replace(/'[^']*'|"[^"]*"/g, '');
  return Array.from(plain.matchAll(/([\w.-]+):/g)).every(([, prefix]) => declared.has(prefix));
}
