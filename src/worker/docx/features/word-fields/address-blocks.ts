import { fieldNamed, firstText, literal } from './expressions.ts';
import type { Instruction } from './instruction.ts';

/**
 * The names by which Word knows the fields of an address (in `w:mappedName`, ECMA-376 part 1, 17.14.24), and names that
 * data have for them. The first of them is the one in `tags` and `schema`.
 */
const namesOf: Readonly<Record<string, readonly string[]>> = {
  TITLE: ['Title', 'Courtesy Title', 'Salutation', 'Anrede'],
  NICK: ['Nickname'],
  FIRST: ['First Name', 'First', 'Given Name', 'Forename', 'Vorname'],
  MIDDLE: ['Middle Name'],
  LAST: ['Last Name', 'Last', 'Surname', 'Family Name', 'Nachname'],
  SUFFIX: ['Suffix'],
  COMPANY: ['Company', 'Company Name', 'Organization', 'Organisation', 'Firma'],
  DEPARTMENT: ['Department'],
  STREET1: ['Address 1', 'Address', 'Address Line 1', 'Street', 'Street Address', 'Straße'],
  STREET2: ['Address 2', 'Address Line 2'],
  CITY: ['City', 'Town', 'Ort'],
  STATE: ['State', 'Province', 'County', 'Region', 'State or Province'],
  POSTAL: ['Postal Code', 'ZIP', 'ZIP Code', 'Postcode', 'PLZ'],
  COUNTRY: ['Country', 'Country or Region', 'Country/Region', 'Land'],
};
const ofPartner: Readonly<Record<string, readonly string[]>> = {
  TITLE: ['Spouse Title', 'Spouse Courtesy Title'],
  NICK: ['Spouse Nickname'],
  FIRST: ['Spouse First Name'],
  MIDDLE: ['Spouse Middle Name'],
  LAST: ['Spouse Last Name'],
};

const addressFormat =
  '<<_TITLE0_ >><<_FIRST0_>><< _LAST0_>><< _SUFFIX0_>>\n<<_COMPANY_\n>><<_STREET1_\n>><<_STREET2_\n>><<_CITY_>><<, _STATE_>><< _POSTAL_>><<\n_COUNTRY_>>';
const greetingFormat = '<<_BEFORE_ Dear >><<_TITLE0_>><< _LAST0_>><<_AFTER_ ,>>';
const macro = /<<([^<>_]*)_(STREET[12]|[A-Z]+)([012]?)_([^<>]*)>>/g;

/** The columns of the data source by Word's names, as the template maps them (`w:fieldMapData`). */
export type MappedNames = ReadonlyMap<string, string>;

/** The expression of ADDRESSBLOCK (17.16.5.1) and GREETINGLINE (17.16.5.25). */
export function blockExpression(instruction: Instruction, mapped: MappedNames): string {
  const format = firstText(instruction.switches.get('f')).replace(/\r\n?/g, '\n');
  return instruction.keyword === 'ADDRESSBLOCK'
    ? addressBlock(format === '' ? addressFormat : format, instruction, mapped)
    : greetingLine(format === '' ? greetingFormat : format, instruction, mapped);
}

function addressBlock(format: string, { switches }: Instruction, mapped: MappedNames): string {
  const rule = firstText(switches.get('c')) || '1';
  const home = firstText(switches.get('e'));
  const parts = partsOf(format, mapped, (name) => {
    if (name !== 'COUNTRY') return undefined;
    if (rule === '0') return literal('');
    const country = valueNamed(name, '', mapped);
    return rule === '2' && home !== ''
      ? `(((${country}) | compare:"=":${literal(home)}) ? "" : ${country})`
      : undefined;
  });
  return `(${concat(parts)}) | trim`;
}

function greetingLine(format: string, { switches }: Instruction, mapped: MappedNames): string {
  const around = { BEFORE: '', AFTER: '' };
  const names = partsOf(
    format.replace(/<<_(BEFORE|AFTER)_ ?([^<>]*)>>/g, (_, place: 'BEFORE' | 'AFTER', text: string) => {
      around[place] = text;
      return '';
    }),
    mapped,
  );
  const otherwise = firstText(switches.get('e')) || 'Dear Sir or Madam,';
  const name = `(${concat(names)} | trim)`;
  return `(${name} | surround:${literal(around.BEFORE)}:${literal(around.AFTER)} | default:${literal(otherwise)})`;
}

function partsOf(
  format: string,
  mapped: MappedNames,
  special: (name: string) => string | undefined = () => undefined,
): readonly string[] {
  const parts: string[] = [];
  let at = 0;
  for (const { 0: whole, 1: before = '', 2: name = '', 3: person = '', 4: after = '', index } of format.matchAll(
    macro,
  )) {
    if (index > at) parts.push(literal(format.slice(at, index)));
    at = index + whole.length;
    const value = special(name) ?? valueNamed(name, person, mapped);
    parts.push(before === '' && after === '' ? value : `(${value} | surround:${literal(before)}:${literal(after)})`);
  }
  if (at < format.length) parts.push(literal(format.slice(at)));
  return parts;
}

function valueNamed(name: string, person: string, mapped: MappedNames): string {
  const names = (person === '1' ? ofPartner[name] : namesOf[name]) ?? [name];
  const columns = names.flatMap((known) => mapped.get(known.toLowerCase()) ?? []);
  return `(${fieldNamed(...columns, ...names)} ?? "")`;
}

function concat(parts: readonly string[]): string {
  return `(${[literal(''), ...parts].join(' + ')})`;
}

/** Reads the mapping of the settings. */
export function mappedNames(settings: string): MappedNames {
  const names = new Map<string, string>();
  for (const [, data = ''] of settings.matchAll(/<w:fieldMapData>([\s\S]*?)<\/w:fieldMapData>/g)) {
    const [, column = ''] = /<w:name w:val="([^"]*)"/.exec(data) ?? [];
    const [, known = ''] = /<w:mappedName w:val="([^"]*)"/.exec(data) ?? [];
    if (column !== '' && known !== '') names.set(known.toLowerCase(), column);
  }
  return names;
}
