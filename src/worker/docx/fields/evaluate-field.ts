import { compareTexts, comparisons } from '../language/expressions/formatters/compare-texts.ts';
import { changeCase } from './change-case.ts';
import { type FieldLanguage, formatNumber, readNumber } from './format-number.ts';
import { computeFormula, FormulaError, type FormulaSource } from './formula.ts';
import { type Argument, type FieldCode, nameOf, type Part, plainText, readCode } from './read-code.ts';
import type { Cell, Field, FieldItem, FieldRun, PartFields } from './read-fields.ts';
import { cellsOf } from './table-numbers.ts';

/** The page that a field is on. */
export interface PageFacts {
  /** The number that PAGE shows, as a number. */
  readonly page: number;
  readonly pages: number;
  readonly sectionPages: number;
  readonly section: number;
}

export interface FieldFacts {
  readonly language: FieldLanguage;
  /** The name that FILENAME shows; undefined to leave the field. */
  readonly fileName: string | undefined;
  /** Whether the part is the body, where the number of the section is known without pages. */
  readonly isBody: boolean;
  /** Whether NUMPAGES is computed, because the converter also counts blank pages that no page number counts. */
  readonly countsPages?: boolean;
}

/** Thrown where a field depends on the page that it is on. */
export class PageNeeded extends Error {}
/** Thrown where a field has a form that is not supported. */
export class UnsupportedField extends Error {}

export type Content = readonly Part[];

const pageNames = new Set(['PAGE', 'NUMPAGES', 'SECTIONPAGES']);
/** Fields that are computed. The converter or the saved result shows the others. */
const computedNames = new Set(['=', 'IF', 'COMPARE', 'QUOTE', 'SECTION', 'SECTIONPAGES', 'FILENAME', 'SET', 'SYMBOL']);

/** Formats of page numbers that LibreOffice ignores. */
function isBeyondConverter({ name, value }: FieldCode['switches'][number]): boolean {
  if (name === '\\#') return true;
  return name === '\\*' && /^(?:ordinal|cardtext|ordtext|dollartext|hex|arabicdash)$/i.test(value);
}

/** Computes the results of the fields of one part. */
export class Evaluator {
  readonly #part: PartFields;
  readonly #facts: FieldFacts;
  readonly #results = new Map<Field, Content>();
  readonly #variables = new Map<string, string>();
  /** Undefined before the pages are laid out. */
  page: PageFacts | undefined;
  /** Formulas that Word would print as an error. */
  readonly errors: string[] = [];

  constructor(part: PartFields, facts: FieldFacts) {
    this.#part = part;
    this.#facts = facts;
  }

  /** Whether the result of the field is computed here. */
  isComputed(field: Field): boolean {
    const name = nameOf(field);
    if (this.isTotal(field)) return true;
    if (name === 'PAGE' || name === 'NUMPAGES') return readCode(field).switches.some(isBeyondConverter);
    if (name === 'REF') return this.#variables.has(plainText(readCode(field).arguments[0] ?? noArgument).toLowerCase());
    // A symbol of a font is left to the converter.
    if (name === 'SYMBOL') return readCode(field).arguments.length === 1;
    return computedNames.has(name) && !(name === 'FILENAME' && this.#facts.fileName === undefined);
  }

  /** Whether the field is only computed because of `countsPages`: it has no mark, as it is the same on all pages. */
  isTotal(field: Field): boolean {
    return (
      this.#facts.countsPages === true &&
      nameOf(field) === 'NUMPAGES' &&
      !readCode(field).switches.some(isBeyondConverter)
    );
  }

  /** The result of a field for which `isComputed`. Throws PageNeeded or UnsupportedField. */
  evaluate(field: Field): Content {
    const known = this.#results.get(field);
    if (known !== undefined) return known;
    if (!field.isWhole) throw new UnsupportedField('it spans several paragraphs or contains a picture');
    const code = readCode(field);
    const content = format(this.#compute(field, code), code, field, this.#facts.language.context.locale);
    this.#results.set(field, content);
    return content;
  }

  #compute(field: Field, code: FieldCode): Content {
    switch (code.name) {
      case '=':
        return this.#formula(field, code);
      case 'IF': {
        const [, , , yes, no] = code.arguments;
        return this.#choice(this.#compare(code) ? yes : no);
      }
      case 'COMPARE':
        return [text(this.#compare(code) ? '1' : '0', field)];
      case 'QUOTE':
        return code.arguments.flatMap((argument) => this.#choice(argument));
      case 'SET':
        return this.#set(code);
      case 'REF':
        return [text(this.#variables.get(plainText(code.arguments[0] ?? noArgument).toLowerCase()) ?? '', field)];
      case 'SYMBOL':
        return [text(symbol(plainText(code.arguments[0] ?? noArgument)), field)];
      case 'FILENAME':
        return [text(this.#facts.fileName ?? '', field)];
      default:
        return this.#number(field, code);
    }
  }

  /** A chosen text: fields in it are computed where possible, and otherwise stay fields. */
  #choice(argument: Argument | undefined): Content {
    return (argument?.parts ?? []).flatMap((part) =>
      part.kind === 'field' && this.isComputed(part) ? this.evaluate(part) : [part],
    );
  }

  #set(code: FieldCode): Content {
    const [name = noArgument, ...values] = code.arguments;
    this.#variables.set(plainText(name).toLowerCase(), values.map((value) => this.#text(value.parts)).join(' '));
    return [];
  }

  #number(field: Field, code: FieldCode): Content {
    const value = this.#pageNumber(field, code.name);
    const written = formatNumber(value, code, this.#facts.language);
    // The number stays a field, so that all pages whose numbers have as many digits are alike.
    const zeros = code.name === 'PAGE' ? /^0*(?=\d)/.exec(written)?.[0] : undefined;
    if (zeros !== undefined && written === `${zeros}${value}`)
      return [...(zeros === '' ? [] : [text(zeros, field)]), field];
    return [text(written, field)];
  }

  #pageNumber(field: Field, name: string): number {
    const { page } = this;
    if (name === 'SECTION' && this.#facts.isBody) return field.section + 1;
    if (page === undefined) throw new PageNeeded();
    if (name === 'PAGE') return page.page;
    if (name === 'NUMPAGES') return page.pages;
    return name === 'SECTION' ? page.section : page.sectionPages;
  }

  /** The text of parts in the form in which it is compared and calculated. */
  #text(parts: readonly Part[]): string {
    return parts.map((part) => (part.kind === 'text' ? part.text : this.#fieldText(part))).join('');
  }

  #fieldText(field: Field): string {
    const name = nameOf(field);
    if (pageNames.has(name)) {
      const code = readCode(field);
      return formatNumber(this.#pageNumber(field, name), code, this.#facts.language);
    }
    if (this.isComputed(field)) return this.#text(this.evaluate(field));
    const code = readCode(field);
    const bookmark = plainText(code.arguments[0] ?? noArgument);
    if (name === 'REF') return this.#bookmarkText(bookmark) ?? this.#resultText(field);
    return this.#bookmarkText(name) ?? this.#resultText(field);
  }

  #resultText(field: Field): string {
    return this.#itemsText(field.result);
  }

  #itemsText(items: readonly FieldItem[]): string {
    return items
      .map((item) => (item.kind === 'field' ? this.#shownText(item) : item.kind === 'text' ? item.text : ''))
      .join('');
  }

  /** The result of a field in running text. */
  #shownText(field: Field): string {
    if (!this.isComputed(field)) return this.#resultText(field);
    try {
      return this.#text(this.evaluate(field));
    } catch (error) {
      if (error instanceof UnsupportedField || error instanceof PageNeeded) return this.#resultText(field);
      throw error;
    }
  }

  #bookmarkText(name: string): string | undefined {
    const key = name.toLowerCase();
    const variable = this.#variables.get(key);
    if (variable !== undefined) return variable;
    const bookmark = this.#part.bookmarks.get(key);
    return bookmark && this.#itemsText(bookmark.items);
  }

  #compare(code: FieldCode): boolean {
    const [first, operator, second] = code.arguments;
    const sign = operator === undefined ? '' : plainText(operator);
    if (first === undefined || second === undefined || !comparisons.includes(sign))
      throw new UnsupportedField('its condition is incomplete');
    return compareTexts(this.#operand(first), sign, this.#operand(second), (written) =>
      /\p{L}/u.test(written) ? undefined : readNumber(written, this.#facts.language.separators),
    );
  }

  /** An operand; a word without quotes may be the name of a bookmark. */
  #operand(argument: Argument): string {
    const written = this.#text(argument.parts);
    if (argument.isQuoted || argument.parts.some(({ kind }) => kind === 'field')) return written;
    return this.#bookmarkText(written) ?? written;
  }

  #formula(field: Field, code: FieldCode): Content {
    const written = code.arguments.map(({ parts }) => parts.map((part) => this.#term(part)).join('')).join(' ');
    try {
      const value = computeFormula(written, this.#source(field));
      return [text(formatNumber(value, code, this.#facts.language), field)];
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      this.errors.push(`{ =${written.trim()} }: ${error.message}`);
      return [text(error.message, field)];
    }
  }

  #term(part: Part): string {
    const { separators } = this.#facts.language;
    if (part.kind === 'field') return `(${readNumber(this.#fieldText(part), separators) ?? 0})`;
    return separators.decimal === ',' ? part.text.replace(/(?<=\d),(?=\d)/g, '.') : part.text;
  }

  #source({ cell }: Field): FormulaSource {
    return {
      cells: (reference, bookmark) => {
        const table = bookmark === undefined ? cell?.table : this.#part.bookmarks.get(bookmark.toLowerCase())?.table;
        return cellsOf(reference, table, bookmark === undefined ? cell : undefined)?.flatMap((one) =>
          this.#numbersIn(one),
        );
      },
      bookmark: (name) => {
        const found = this.#bookmarkText(name);
        return found === undefined ? undefined : (readNumber(found, this.#facts.language.separators) ?? 0);
      },
    };
  }

  /** The numbers in a cell, one for each paragraph. */
  #numbersIn({ items }: Cell): number[] {
    const lines: FieldItem[][] = [[]];
    for (const item of items) {
      if (item === 'paragraph') lines.push([]);
      else lines.at(-1)?.push(item);
    }
    return lines.flatMap((line) => readNumber(this.#itemsText(line), this.#facts.language.separators) ?? []);
  }
}

/** The character of a number, such as 169 or 0xA9. */
function symbol(written: string): string {
  const number = Number(written);
  if (!Number.isInteger(number) || number < 32 || number > 0xffff)
    throw new UnsupportedField('its number is not valid');
  return String.fromCharCode(number);
}

const noArgument: Argument = { parts: [], isQuoted: false };

/** The run that formats a result which is a single text: that of the last result, or of the code. */
function runOf(field: Field): FieldRun {
  const ofResult = field.result.find((item) => item.kind === 'text');
  const ofCode = field.code.find((item) => item.kind === 'code');
  const found = ofResult ?? ofCode;
  return found === undefined || found.kind === 'field' ? field.begin.run : found.run;
}

const text = (written: string, field: Field): Part => ({ kind: 'text', text: written, run: runOf(field) });

/** Applies the switches that change the case or the formatting of a result. */
function format(content: Content, { switches }: FieldCode, field: Field, locale: string): Content {
  let parts = content;
  for (const { name, value } of switches) {
    if (name !== '\\*') continue;
    const run = /^mergeformat$/i.test(value) ? runOf(field) : /^charformat$/i.test(value) ? codeRun(field) : undefined;
    parts = parts.map((part) =>
      part.kind === 'field' ? part : { ...part, text: changeCase(part.text, value, locale), run: run ?? part.run },
    );
  }
  return parts;
}

function codeRun(field: Field): FieldRun {
  const first = field.code.find((item) => item.kind === 'code');
  return first === undefined || first.kind === 'field' ? field.begin.run : first.run;
}
