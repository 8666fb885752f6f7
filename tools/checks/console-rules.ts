import { readFileSync } from 'node:fs';
import { type ESTree, parseSync, Visitor } from 'vite';
import type { ConsoleProblem } from './console-problem.ts';
import { checkStyles } from './console-styles.ts';

/** Properties that parse a string as markup or script, which the Content-Security-Policy refuses at run time. */
const markupSinks = /^(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|setHTMLUnsafe|srcdoc|eval)$/;
/** Attributes and properties whose text is shown or read aloud. */
const readAttributes =
  /^(aria-(label|description|placeholder|roledescription|valuetext)|title|alt|placeholder|label|hint|about|action|text)$/;
const letters = /\p{L}{2}/u;
const address = /(https?:|["'(\s]|^)\/\/[a-z0-9-]+\.[a-z]/i;
/** Addresses that only name vocabularies, and are never loaded. */
const namespaces = /^http:\/\/(www\.w3\.org|schemas\.openxmlformats\.org)\//;

/**
 * Finds forbidden content in console pages: text outside `texts`, markup from strings, external addresses, and styles
 * that affect other pages.
 */
export function findConsoleProblems(files: readonly string[]): readonly ConsoleProblem[] {
  const sources = files
    .filter((file) => /^src\/console\/.*\.(tsx?|css|html)$/.test(file))
    .map((file) => ({ file, source: readFileSync(file, 'utf8') }));
  return [
    ...sources.flatMap(({ file, source }) => checkConsoleFile(file, source)),
    ...checkStyles(sources.filter(({ file }) => file.endsWith('.css'))),
  ];
}

export function checkConsoleFile(file: string, source: string): readonly ConsoleProblem[] {
  const problems: ConsoleProblem[] = [];
  const report = (offset: number, problem: string): void => {
    problems.push({ file, line: source.slice(0, offset).split('\n').length, problem });
  };
  if (!/\.tsx?$/.test(file)) {
    const found = address.exec(source);
    if (found !== null) report(found.index, `"${found[0]}…": the console loads nothing from elsewhere`);
    return problems;
  }
  const reportText = (node: ESTree.Span, text: string): void => {
    if (letters.test(text)) report(node.start, `"${text.trim()}" belongs in src/console/texts`);
  };
  const reportSink = (node: ESTree.Span, name: string): void => {
    if (markupSinks.test(name)) report(node.start, `${name} turns a string into markup or script`);
  };
  const isText = file.startsWith('src/console/texts/');
  const reportAddress = (node: ESTree.Span, text: string): void => {
    if (!isText && address.test(text) && !namespaces.test(text))
      report(node.start, `"${text}": the console loads nothing from elsewhere`);
  };
  new Visitor({
    JSXText: (node) => reportText(node, node.value),
    JSXExpressionContainer: (node) => {
      const isChild = source[node.start - 1] !== '=';
      if (isChild) for (const part of literalsOf(node.expression)) reportText(node, part);
    },
    JSXAttribute: (node) => {
      const name = node.name.type === 'JSXIdentifier' ? node.name.name : '';
      reportSink(node, name);
      if (!readAttributes.test(name) || node.value === null) return;
      const value = node.value.type === 'JSXExpressionContainer' ? node.value.expression : node.value;
      for (const part of literalsOf(value)) reportText(node, part);
    },
    MemberExpression: (node) => {
      const { property } = node;
      if (property.type === 'Identifier') reportSink(property, property.name);
      if (property.type === 'Literal') reportSink(property, String(property.value));
    },
    CallExpression: ({ callee }) => {
      if (callee.type === 'Identifier') reportSink(callee, callee.name);
    },
    NewExpression: ({ callee }) => {
      if (callee.type === 'Identifier' && callee.name === 'Function')
        report(callee.start, 'Function turns a string into script');
    },
    Literal: (node) => {
      if (typeof node.value === 'string') reportAddress(node, node.value);
    },
    TemplateElement: (node) => reportAddress(node, node.value.raw),
  }).visit(parseSync(file, source).program);
  return problems;
}

/**
 * The strings that an expression may evaluate to, including those of `a ? 'b' : 'c'`, `a && 'b'` and `` `a ${b}` ``.
 */
function literalsOf(node: { readonly type: string }): readonly string[] {
  const expression = node as ESTree.Expression | ESTree.JSXEmptyExpression;
  switch (expression.type) {
    case 'Literal':
      return typeof expression.value === 'string' ? [expression.value] : [];
    case 'TemplateLiteral':
      return expression.quasis.map(({ value }) => value.raw);
    case 'ConditionalExpression':
      return [...literalsOf(expression.consequent), ...literalsOf(expression.alternate)];
    case 'LogicalExpression':
      return [...literalsOf(expression.left), ...literalsOf(expression.right)];
    default:
      return [];
  }
}
