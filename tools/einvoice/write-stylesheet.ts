import { DOMImplementation, type Element, XMLSerializer } from '@xmldom/xmldom';
import type { Pattern, Rule, Schema, Variable } from './read-schematron.ts';

const xsl = 'http://www.w3.org/1999/XSL/Transform';

/**
 * An XSLT 3.0 stylesheet that checks the rules of a schema, to compare the verdicts of Saxon with those of the compiled
 * rules. It writes a line for each rule that applies to an element (`rule`), each assert that does not hold (`failed`),
 * and each that cannot be evaluated (`problem`), with the path of the element.
 */
export function writeStylesheet(schema: Schema): string {
  const document = new DOMImplementation().createDocument(xsl, 'xsl:stylesheet', null);
  const root = document.documentElement;
  if (root === null) throw new Error('the stylesheet has no root element');
  root.setAttribute('version', '3.0');
  root.setAttributeNS('http://www.w3.org/2000/xmlns/', 'xmlns:xs', 'http://www.w3.org/2001/XMLSchema');
  for (const [prefix, uri] of schema.namespaces)
    root.setAttributeNS('http://www.w3.org/2000/xmlns/', `xmlns:${prefix}`, uri);
  add(root, 'output', { method: 'text' });
  const main = add(root, 'template', { match: '/' });
  for (const { variables } of schema.patterns) addVariables(root, variables);
  for (const [index, pattern] of schema.patterns.filter(({ rules }) => rules.length > 0).entries()) {
    add(main, 'apply-templates', { select: '//*', mode: `pattern${index}` });
    addPattern(root, pattern, index);
  }
  return new XMLSerializer().serializeToString(document);
}

function addPattern(root: Element, { rules }: Pattern, index: number): void {
  const mode = `pattern${index}`;
  for (const [position, rule] of rules.entries()) {
    const template = add(root, 'template', { match: rule.context, mode, priority: String(rules.length - position) });
    addRule(template, rule, `${index}.${position}`);
  }
  add(root, 'template', { match: 'node()', mode, priority: '-1' });
}

function addRule(template: Element, { asserts, variables }: Rule, name: string): void {
  addLine(template, `rule ${name}`);
  addVariables(template, variables);
  for (const { id, test } of asserts) {
    const attempt = add(template, 'try', {});
    addLine(add(attempt, 'if', { test: `not(${test})` }), `failed ${id}`);
    addLine(add(attempt, 'catch', {}), `problem ${id}`);
  }
}

function addVariables(parent: Element, variables: readonly Variable[]): void {
  for (const { name, value } of variables) add(parent, 'variable', { name, select: value });
}

function addLine(parent: Element, text: string): void {
  add(parent, 'value-of', { select: `concat('${text} ', path(), codepoints-to-string(10))` });
}

function add(parent: Element, name: string, attributes: Readonly<Record<string, string>>): Element {
  const element = parent.ownerDocument?.createElementNS(xsl, `xsl:${name}`);
  if (element === undefined) throw new Error(`${name} has no document`);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  parent.appendChild(element);
  return element;
}
