import { type Invoice, invoiceModel } from '@docmill/einvoice';
import { LRUCache } from 'lru-cache';
import type { ErrorDetail } from '../../shared/errors.ts';
import { plainIssue } from '../../shared/schema-issues.ts';
import { parseData } from '../docx/core/render/parse-data.ts';
import { ValueProblem } from '../docx/language/expressions/value-problem.ts';
import { printValue } from '../docx/language/print-value.ts';
import { RenderContext, type RenderLocale } from '../docx/language/render-context.ts';
import { RepeatedList } from '../docx/language/repeated-list.ts';
import { Scope } from '../docx/language/scope.ts';
import { type CompiledGroup, type CompiledTerm, compileMapping } from './compile-mapping.ts';

/** A value of the invoice, with the term and the expression that it comes from. */
export interface MappedValue {
  readonly term: string;
  readonly expression: string;
}

export interface MappedInvoice {
  /** Undefined if there are problems. */
  readonly model: Invoice | undefined;
  /** By the path in the model, such as `lines[2].price.net`. */
  readonly terms: ReadonlyMap<string, MappedValue>;
  /** The keys at the top of the data that the mapping reads. */
  readonly readKeys: readonly string[];
  readonly problems: readonly ErrorDetail[];
}

const maxEntries = 10_000;
const maxProblems = 100;

type Json = Record<string, unknown>;

interface UsedMapping {
  readonly group: CompiledGroup;
  readonly readKeys: readonly string[];
}

/** The mappings that this process used last, because the rows of a batch have the same one. */
const used = new LRUCache<string, UsedMapping>({ max: 20 });

function compiledOf(mapping: string): UsedMapping {
  const known = used.get(mapping);
  if (known !== undefined) return known;
  const { group } = compileMapping(mapping);
  const compiled = { group, readKeys: rootNames(group) };
  used.set(mapping, compiled);
  return compiled;
}

/** Makes an invoice of the data of a document. The mapping was checked when it was uploaded. */
export function mapInvoice(mapping: string, data: Uint8Array, locale: RenderLocale): MappedInvoice {
  const { group, readKeys } = compiledOf(mapping);
  const filling = new Filling();
  const root: Json = {};
  filling.fill(group, Scope.root(parseData(data), new RenderContext(locale)), root, '');
  const { terms, problems } = filling;
  if (problems.length > 0) return { model: undefined, terms, readKeys, problems };
  const parsed = invoiceModel.safeParse(root);
  if (parsed.success) return { model: parsed.data, terms, readKeys, problems: [] };
  return {
    model: undefined,
    terms,
    readKeys,
    // Thousands of lines may have the same mistake.
    problems: parsed.error.issues
      .slice(0, maxProblems)
      .flatMap((issue) => toDetails(pathOf(issue.path), plainIssue(issue), filling)),
  };
}

/** The first names of the paths that expressions look up: those in the data, and those in items of lists. */
function rootNames(group: CompiledGroup): readonly string[] {
  const names = new Set<string>();
  const visit = ({ terms, lists }: CompiledGroup): void => {
    const entries = lists.flatMap((list) => list.entries);
    for (const { text, expression } of [...terms, ...entries.flatMap(({ each }) => each ?? [])]) {
      names.add(text);
      for (const { segments } of expression.uses('any')) names.add(segments[0] ?? '');
    }
    for (const entry of entries) visit(entry.group);
  };
  visit(group);
  return [...names];
}

const pathOf = (keys: readonly PropertyKey[]): string =>
  keys.reduce<string>((path, key) => (typeof key === 'number' ? `${path}[${key}]` : join(path, String(key))), '');

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** A problem of a value; of one that is missing; or of an object in which all values are missing. */
function toDetails(path: string, message: string, { terms, names }: Filling): readonly ErrorDetail[] {
  const value = terms.get(path);
  if (value !== undefined) return [problemOf(value, path, message)];
  const missing = [...names].filter(([name]) => name === path || name.startsWith(`${path}.`));
  if (missing.length > 0) return missing.map(([name, term]) => problemOf(term, name, noValue));
  return [{ type: 'Rule', rule: 'invoice-model', businessTerms: [], location: path, message: `${path}: ${message}` }];
}

const noValue = 'the expression has no value, but the invoice needs one';

function problemOf(value: MappedValue, path: string, problem: string): ErrorDetail {
  const { term, expression } = value;
  const expressions = { [term]: expression };
  return {
    type: 'Rule',
    rule: 'invoice-model',
    businessTerms: [term],
    location: path,
    message: say(value, problem),
    expressions,
  };
}

const say = ({ term, expression }: MappedValue, problem: string): string => `${term} ({${expression}}): ${problem}.`;

class Filling {
  readonly terms = new Map<string, MappedValue>();
  /** The values that expressions did not have, by path. */
  readonly names = new Map<string, MappedValue>();
  readonly problems: ErrorDetail[] = [];
  #entries = 0;

  #report(problem: ErrorDetail): void {
    if (this.problems.length < maxProblems) this.problems.push(problem);
  }

  fill({ terms, lists }: CompiledGroup, scope: Scope, into: Json, at: string): void {
    for (const term of terms) this.#put(term, scope, into, at);
    for (const { keys, term, entries } of lists) {
      const list: Json[] = [];
      const path = [at, ...keys].filter((key) => key !== '').join('.');
      for (const { each, group } of entries) {
        for (const inner of each === undefined ? [scope] : this.#items(term, each, scope, path)) {
          const entry: Json = {};
          this.fill(group, inner, entry, `${path}[${list.length}]`);
          if (Object.keys(entry).length > 0) list.push(entry);
        }
      }
      if (list.length > 0) set(into, keys, list);
    }
  }

  #items(
    term: string,
    { text, expression }: Pick<CompiledTerm, 'text' | 'expression'>,
    scope: Scope,
    path: string,
  ): readonly Scope[] {
    const value = this.#evaluate({ term, text, expression }, scope, path);
    if (value === undefined || value === null) return [];
    const named = { term, expression: text };
    if (!Array.isArray(value)) {
      this.#report(problemOf(named, path, 'the expression after "each" is not a list'));
      return [];
    }
    this.#entries += value.length;
    if (this.#entries > maxEntries) {
      this.#report(problemOf(named, path, `the lists of an invoice have more than ${maxEntries} entries`));
      return [];
    }
    const list = new RepeatedList(value);
    return value.map((item, index) => scope.enter(item, expression, { index, count: value.length, list }));
  }

  #put(term: CompiledTerm, scope: Scope, into: Json, at: string): void {
    const path = [at, ...term.keys].filter((key) => key !== '').join('.');
    const named = { term: term.term, expression: term.text };
    const value = this.#evaluate(term, scope, path);
    const printed = printValue(value);
    if ('problem' in printed) {
      this.#report(problemOf(named, path, `the value ${printed.problem}`));
      return;
    }
    if (printed.text.trim() === '') {
      this.names.set(path, named);
      return;
    }
    this.terms.set(path, named);
    set(into, term.keys, printed.text);
  }

  #evaluate(
    { term, text, expression }: Pick<CompiledTerm, 'term' | 'text' | 'expression'>,
    scope: Scope,
    path: string,
  ): unknown {
    try {
      return expression.evaluate(scope);
    } catch (error) {
      if (!(error instanceof ValueProblem)) throw error;
      this.#report(problemOf({ term, expression: text }, path, `the value ${error.path} ${error.problem}`));
      return undefined;
    }
  }
}

function set(into: Json, keys: readonly string[], value: unknown): void {
  let here = into;
  for (const key of keys.slice(0, -1)) {
    here[key] ??= {};
    here = here[key] as Json;
  }
  here[keys.at(-1) ?? ''] = value;
}
