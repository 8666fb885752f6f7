import type { ErrorDetail } from '../../shared/errors.ts';
import { ExpressionError } from '../docx/language/expressions/expression-error.ts';
import { parseTagText } from '../docx/language/expressions/parse-tag-text.ts';
import type { Expression } from '../docx/language/scope.ts';
import { invoiceTerms, type TermGroup, type TermList } from './business-terms.ts';

/** A business term, and the expression that gives its value. */
export interface CompiledTerm {
  readonly term: string;
  /** The keys of its value in the invoice model, from the group that contains it. */
  readonly keys: readonly string[];
  readonly text: string;
  readonly expression: Expression;
}

export interface CompiledGroup {
  readonly terms: readonly CompiledTerm[];
  readonly lists: readonly CompiledList[];
}

export interface CompiledList {
  readonly term: string;
  readonly keys: readonly string[];
  readonly entries: readonly CompiledEntry[];
}

export interface CompiledEntry {
  /** The list whose items become entries; without it there is one entry. */
  readonly each: Pick<CompiledTerm, 'text' | 'expression'> | undefined;
  readonly group: CompiledGroup;
}

export interface CompiledMapping {
  readonly group: CompiledGroup;
  /** Empty for a mapping that can be used. */
  readonly problems: readonly ErrorDetail[];
}

/** A tag with only a number is a name. In a mapping, it is the number. */
const isNumber = /^-?\d+(?:\.\d+)?$/;
const maxProblems = 50;
const maxEntriesWritten = 50;

/** The terms that a profile requires beside those of the model, because its rules demand them of every invoice. */
const requiredBy: Readonly<Record<string, readonly string[]>> = {
  xrechnung: ['BT-10', 'BT-34', 'BT-37', 'BT-38', 'BT-41', 'BT-42', 'BT-43', 'BT-49', 'BT-52', 'BT-53', 'BT-81'],
  peppol: ['BT-34', 'BT-49'],
};
const profileNames = ['minimum', 'basic-wl', 'basic', 'en16931', 'extended', 'xrechnung', 'peppol'];

/**
 * Compiles the text of an invoice mapping: a JSON object in which business terms have expressions, and groups of which
 * an invoice may have several have objects, with `each` for the list that they come from.
 */
export function compileMapping(text: string): CompiledMapping {
  const compiler = new Compiler();
  const parsed = parseObject(text);
  if (parsed === undefined) {
    return { group: { terms: [], lists: [] }, problems: [problem('invoiceMap', 'must be a JSON object')] };
  }
  const { profile, ...terms } = parsed;
  const group = compiler.group(terms, invoiceTerms, 'invoiceMap');
  if (profile !== undefined && !(typeof profile === 'string' && profileNames.includes(profile))) {
    compiler.report('invoiceMap.profile', `must be ${profileNames.slice(0, -1).join(', ')} or ${profileNames.at(-1)}`);
  } else {
    for (const term of requiredBy[profile ?? ''] ?? []) {
      if (!group.terms.some((each) => each.term === term))
        compiler.report(`invoiceMap["${term}"]`, `is missing: the profile ${profile} requires it`);
    }
  }
  return { group, problems: compiler.problems };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const problem = (path: string, message: string): ErrorDetail => ({ type: 'Field', path, message });

interface Place {
  readonly path: string;
  readonly written: Readonly<Record<string, unknown>>;
}

class Compiler {
  readonly problems: ErrorDetail[] = [];

  report(path: string, message: string): void {
    if (this.problems.length < maxProblems) this.problems.push(problem(path, message));
  }

  group(written: Readonly<Record<string, unknown>>, known: TermGroup, path: string): CompiledGroup {
    const terms: CompiledTerm[] = [];
    const lists: CompiledList[] = [];
    for (const [term, value] of Object.entries(written)) {
      const at = `${path}[${JSON.stringify(term.slice(0, 100))}]`;
      const list = known.lists.get(term);
      const field = known.terms.get(term);
      if (list !== undefined && (field === undefined || typeof value !== 'string')) {
        lists.push({ term, keys: list.keys, entries: this.#entries(value, list, at) });
      } else if (field === undefined) {
        this.report(at, unknownTerm(term));
      } else {
        const compiled = this.#expression(value, at);
        if (compiled !== undefined) terms.push({ term, keys: field.keys, ...compiled });
      }
    }
    this.#requireTerms({ terms, lists }, known, { path, written });
    return { terms, lists };
  }

  #entries(value: unknown, { entry }: TermList, path: string): readonly CompiledEntry[] {
    const written: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (written.length > maxEntriesWritten) this.report(path, `must have at most ${maxEntriesWritten} entries`);
    return written.slice(0, maxEntriesWritten).flatMap((one, index) => {
      const at = Array.isArray(value) ? `${path}[${index}]` : path;
      if (!isObject(one)) {
        this.report(at, 'must be an object with terms, and "each" for the list that its entries come from');
        return [];
      }
      const { each, ...terms } = one;
      const compiled = each === undefined ? undefined : this.#expression(each, `${at}.each`);
      return [{ each: compiled, group: this.group(terms, entry, at) }];
    });
  }

  #expression(value: unknown, path: string): Pick<CompiledTerm, 'text' | 'expression'> | undefined {
    if (typeof value !== 'string' || value.trim() === '') {
      this.report(path, 'must be an expression, such as "customer.name", or "\'EUR\'" for a text');
      return undefined;
    }
    const text = value.trim();
    try {
      return { text, expression: isNumber.test(text) ? parseTagText(`(${text})`) : parseTagText(text) };
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const hint = error.hint === undefined ? '' : `; ${error.hint}`;
      this.report(path, `is not a valid expression: ${error.message}${hint}`);
      return undefined;
    }
  }

  /** The terms without which no invoice can be made, and those of the optional objects that the mapping begins. */
  #requireTerms({ terms, lists }: CompiledGroup, known: TermGroup, { path, written }: Place): void {
    const begun = (keys: readonly string[]): boolean =>
      [...terms, ...lists].some((each) => keys.slice(0, -1).every((key, index) => each.keys[index] === key));
    for (const [term, { keys, isRequired, isAlways }] of known.terms) {
      if (!isRequired || Object.hasOwn(written, term) || !(isAlways || begun(keys))) continue;
      this.report(`${path}[${JSON.stringify(term)}]`, 'is missing: every invoice needs it');
    }
    for (const [term, { isRequired }] of known.lists) {
      if (isRequired && !Object.hasOwn(written, term))
        this.report(`${path}[${JSON.stringify(term)}]`, 'is missing: every invoice needs it');
    }
  }
}

function unknownTerm(term: string): string {
  const home = placeOf(term, invoiceTerms);
  if (home === undefined) return 'is not a business term of EN 16931, such as BT-1';
  return home === '' ? 'belongs to the invoice, not to a group' : `belongs to the group ${home}`;
}

/** The group that has a term; empty for the invoice itself. */
function placeOf(term: string, { terms, lists }: TermGroup, group = ''): string | undefined {
  if (terms.has(term) || lists.has(term)) return group;
  for (const [name, { entry }] of lists) {
    const found = placeOf(term, entry, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
