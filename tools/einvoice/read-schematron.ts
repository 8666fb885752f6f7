import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DOMParser, type Element, type Node } from '@xmldom/xmldom';

/** A rule set in ISO Schematron. Only the part of the language that invoice rules use is supported. */
export interface Schema {
  readonly title: string;
  /** The namespace of each prefix. */
  readonly namespaces: ReadonlyMap<string, string>;
  readonly patterns: readonly Pattern[];
}

export interface Variable {
  readonly name: string;
  readonly value: string;
}

export interface Pattern {
  /** The variables that are the same for the whole document. */
  readonly variables: readonly Variable[];
  readonly rules: readonly Rule[];
}

export interface Rule {
  readonly context: string;
  readonly variables: readonly Variable[];
  readonly asserts: readonly Assert[];
}

export interface Assert {
  readonly id: string;
  readonly test: string;
  readonly severity: 'fatal' | 'warning' | 'information';
  /** Literal strings, and the expressions between them. */
  readonly message: readonly (string | { readonly select: string })[];
}

/** Elements that do not affect the result. Phases are ignored, because all patterns are active. */
const ignored = new Set(['title', 'ns', 'phase', 'function']);

/** Reads a file with everything that it includes. Throws if it contains an element that is not supported. */
export function readSchematron(file: string, includes: Readonly<Record<string, string>> = {}): Schema {
  const root = parse(file);
  const title = childrenOf(root).find(({ localName }) => localName === 'title')?.textContent ?? '';
  return {
    title: title.trim(),
    namespaces: new Map(
      childrenOf(root)
        .filter(({ localName }) => localName === 'ns')
        .map((ns) => [required(ns, 'prefix'), required(ns, 'uri')]),
    ),
    patterns: patternsOf(root, (href) => join(dirname(file), includes[href] ?? href)),
  };
}

function parse(file: string): Element {
  const root = new DOMParser().parseFromString(readFileSync(file, 'utf8'), 'text/xml').documentElement;
  if (root === null) throw new Error(`${file} has no root element`);
  return root;
}

function patternsOf(root: Element, locate: (href: string) => string): Pattern[] {
  return childrenOf(root).flatMap((each) => {
    if (each.localName === 'include') return [readPattern(parse(locate(required(each, 'href'))))];
    if (each.localName === 'pattern') return [readPattern(each)];
    if (ignored.has(each.localName ?? '')) return [];
    throw new Error(`the element ${each.nodeName} of a schema is not supported`);
  });
}

function readPattern(element: Element): Pattern {
  const { variables, rest } = splitVariables(element);
  if (element.hasAttribute('abstract') || element.hasAttribute('is-a'))
    throw new Error('patterns must not be abstract');
  return { variables, rules: rest.map(readRule) };
}

function readRule(element: Element): Rule {
  if (element.localName !== 'rule') throw new Error(`the element ${element.nodeName} of a pattern is not supported`);
  const { variables, rest } = splitVariables(element);
  return { context: required(element, 'context'), variables, asserts: rest.map(readAssert) };
}

function readAssert(element: Element): Assert {
  if (element.localName !== 'assert') throw new Error(`the element ${element.nodeName} of a rule is not supported`);
  const severity = element.getAttribute('flag') ?? 'fatal';
  if (severity !== 'fatal' && severity !== 'warning' && severity !== 'information')
    throw new Error(`the flag ${severity} is not supported`);
  return { id: required(element, 'id'), test: required(element, 'test'), severity, message: messageOf(element) };
}

function messageOf(element: Element): Assert['message'] {
  return nodesOf(element).flatMap((node): Assert['message'] => {
    if (node.nodeType === node.TEXT_NODE) return [node.nodeValue ?? ''];
    if (node.nodeName === 'name') return [{ select: 'name()' }];
    return node.nodeName === 'value-of' ? [{ select: required(node as Element, 'select') }] : [];
  });
}

function splitVariables(element: Element): { variables: Variable[]; rest: Element[] } {
  const lets = childrenOf(element).filter(({ localName }) => localName === 'let');
  return {
    variables: lets.map((each) => ({ name: required(each, 'name'), value: required(each, 'value') })),
    rest: childrenOf(element).filter((each) => !lets.includes(each)),
  };
}

function required(element: Element, name: string): string {
  const value = element.getAttribute(name);
  if (value === null) throw new Error(`${element.nodeName} has no attribute ${name}`);
  return value;
}

function childrenOf(element: Element): Element[] {
  return nodesOf(element).filter((node): node is Element => node.nodeType === node.ELEMENT_NODE);
}

function nodesOf(element: Element): Node[] {
  return Array.from(element.childNodes);
}
