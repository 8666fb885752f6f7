import type { ExpressionProblem } from './expressions/parse-tag-text.ts';
import { closingTag, openingTag, type Statement } from './pair-statements.ts';

interface ForeignProblem extends ExpressionProblem {
  readonly statement?: Statement;
}

type Answer = (match: RegExpExecArray) => ForeignProblem;

/** Tags that correspond to a loop option of easy-template-x. */
const loopOver: Readonly<Record<string, (sign: string, name: string) => string>> = {
  row: (sign, name) => `{${sign}${name}} in the first cell of the row and {/${name}} in its last cell`,
  column: (_sign, name) => `{|${name}} in a cell of the column, without a closing tag`,
  paragraph: (sign, name) => `{${sign}${name}} and {/${name}} alone into the paragraphs around this one`,
  content: (sign, name) => `{${sign}${name}}`,
};

function statementOf(engine: string, word: string, rest: string): ForeignProblem {
  const message = `this is a ${engine} statement`;
  const subject = rest.trim() === '' ? 'name' : rest.trim();
  const list = /\bin\s+([\w.]+)/i.exec(rest)?.[1] ?? /([\w.]+)\s*$/.exec(rest)?.[1] ?? 'items';
  if (/^end|^\/|^fi$|^done$/i.test(word))
    return { message, hint: 'write {/} where the section ends', statement: { step: 'end' } };
  if (/^else?\s?if$|^elif$/i.test(word)) {
    const section = { sign: '#', subject } as const;
    const hint = `close the section, then write ${openingTag(section)}…${closingTag(section)}`;
    return { message, hint, statement: { step: 'else', section } };
  }
  if (/^else$/i.test(word)) {
    const hint = 'close the section and write the opposite one: {/name}{^name}…{/name}';
    return { message, hint, statement: { step: 'else' } };
  }
  if (/^unless$/i.test(word)) return startOf(message, '^', subject);
  if (/^(?:for|foreach|each|loop)$/i.test(word)) return startOf(message, '#', list);
  if (/^(?:if|with)$/i.test(word)) return startOf(message, '#', subject);
  return {
    message,
    hint: `remove it: there is no such statement, so compute "${subject}" before and send it in the data`,
  };
}

function startOf(message: string, sign: '#' | '^', subject: string): ForeignProblem {
  const section = { sign, subject };
  const hint = `write ${openingTag(section)}…${closingTag(section)}`;
  return { message, hint, statement: { step: 'start', section } };
}

/** The syntax of other template languages, and the line to write instead. Each pattern matches a whole tag without braces. */
const patterns: readonly (readonly [pattern: RegExp, answer: Answer])[] = [
  [
    /^%(?:[a-z]{1,2}\s|[-+])?\s*(\w+)\b([^%]*?)[-+]?%$/i,
    ([, word = '', rest = '']) => statementOf('Jinja, Liquid or Twig', word, rest),
  ],
  [/^#[^#]*#$/, () => ({ message: 'this is a comment of Jinja', hint: 'remove it, or use a comment of Word' })],
  [
    /^[#:]\s*(if|unless|each|foreach|for|with|else\s?if|elseif|elif|else)(?:\s+(\S.*))?$/i,
    ([whole, word = '', rest = '']) =>
      whole.startsWith('#') && rest === '' && !/^else/i.test(word) ? {} : statementOf('Handlebars', word, rest),
  ],
  [
    /^(else\s?if|elseif|elsif)(?:\s+(\S.*))$/i,
    ([, word = '', rest = '']) => statementOf('another template language', word, rest),
  ],
  [/^(else)$/i, ([, word = '']) => statementOf('another template language', word, '')],
  [/^(FOR|IF)\s+(\S.*)$/, ([, word = '', rest = '']) => statementOf('docx-templates', word, rest)],
  [
    /^(END-(?:FOR|IF))(?:\s.*)?$/,
    () => ({
      message: 'this is a docx-templates statement',
      hint: 'write {/} where it ends',
      statement: { step: 'end' },
    }),
  ],
  [
    /^(?:INS|=)\s*([\p{L}_$][\p{L}\p{N}_.$]*)$/u,
    ([, name = '']) => ({ message: 'this is a command of docx-templates', hint: `write {${name}}` }),
  ],
  [
    /^(?:EXEC|QUERY|ALIAS|IMAGE|LINK|HTML)\s+\S.*[({].*$/,
    () => ({ message: 'this is a command of docx-templates', hint: 'see the guide to templates of docx-templates' }),
  ],
  [
    /^=\s*(\S+) (\S+)\s*=$/,
    ([, open = '', end = '']) => ({
      message: 'tags cannot change the delimiters',
      hint: `remove it, and upload the template with delimiters "${open} ${end}"`,
    }),
  ],
  [
    /^&\s*([\w.]+)$/,
    ([, name = '']) => ({
      message: 'values are always escaped, so there is no tag for an unescaped one',
      hint: `write {${name}}`,
    }),
  ],
  [
    /^>\s*([\w.-]+)$/,
    () => ({ message: 'this is a partial of Mustache or Handlebars', hint: 'copy its text into the template' }),
  ],
  [
    /^this$/,
    () => ({
      message: 'this is the current item of Handlebars',
      hint: 'write {.}, or {["this"]} for a key of that name',
    }),
  ],
  [/^this\.([\w.]+)$/, ([, name = '']) => ({ message: 'this is a path of Handlebars', hint: `write {${name}}` })],
  [/^[#^]?\s*this\s*(\[.*\])$/, ([, key = '']) => ({ message: thisProblem.message, hint: `write {${key}}` })],
  [
    /^@(index|first|last)$/,
    ([, name = '']) => ({ message: 'this is a variable of Handlebars', hint: `write {$${name}}` }),
  ],
  [
    /^:\s*(include|table)\s+([\w.]+)$/,
    ([, command = '', name = '']) => ({
      message: 'this is a command of a module of docxtemplater',
      hint:
        command === 'include'
          ? `upload the other template, and write {include "${name}"} in a paragraph of its own`
          : `write {#${name}} in the first cell of a row and {/${name}} in its last cell`,
    }),
  ],
  [
    /^([#^])\s*([^[\]]+?)\s*\[\s*loopOver\s*:\s*["'“”‘’]?(row|column|paragraph|content)["'“”‘’]?\s*\]$/,
    ([, sign = '', name = '', what = '']) => ({
      message: 'this is an option of easy-template-x',
      hint: `write ${loopOver[what]?.(sign, name) ?? `{${sign}${name}}`}`,
    }),
  ],
  [
    /^(?:\.\.\/)+([\w.]+)$|^@root\.([\w.]+)$/,
    ([, up, root]) => ({
      message: 'this is a path of Handlebars',
      hint: `write {${up ?? root ?? ''}}: names are looked up outwards`,
    }),
  ],
  [
    /^-\s*w:tc\s+([\w.]+)$/,
    ([, name = '']) => ({
      message: 'this repeats a cell in docxtemplater',
      hint: `write {|${name}} in the cell, without a closing tag`,
    }),
  ],
  [
    /^[dc]\.([\w.]*?)\[i(?:[+]1)?\]\.?([\w.]*).*$/,
    ([, list = '', name = '']) => ({
      message: 'this is a repetition of Carbone',
      hint: `write {#${list}}{${name === '' ? '.' : name}}{/${list}}, and remove the row with [i+1]`,
    }),
  ],
  [
    /^[dc]\.([\w.]+):(\w+).*$/,
    ([, name = '', formatter = '']) => ({
      message: `this is the formatter ${formatter} of Carbone`,
      hint: `write {${name} | …} with a formatter of the template language`,
    }),
  ],
  [
    /^(?:t\(|#def\s|o\.\w+\s*=).*$/,
    () => ({ message: 'this is a Carbone instruction', hint: 'remove it, and send the value in the data' }),
  ],
];

const maxLength = 500;

/** The problem of a tag in the syntax of another template language; undefined for any other text. Takes a tag without braces. */
export function foreignSyntax(inner: string): ForeignProblem | undefined {
  const text = inner.trim();
  if (text.length > maxLength) return undefined;
  for (const [pattern, answer] of patterns) {
    const match = pattern.exec(text);
    const found = match === null ? undefined : answer(match);
    if (found?.message !== undefined) return found;
  }
  return thisInExpression.test(text.replace(quoted, '""')) ? thisProblem : undefined;
}

const quoted = /"[^"]*"|'[^']*'|“[^”]*”|‘[^’]*’/g;
/** `this`, or a path from it, next to an operator. In a sentence, the word has no operator next to it. */
const thisInExpression =
  /(?:^[#^]?|[(+*/%|!]|&&|[=!]==?|[<>]=?|\s-\s)\s*this(?:\.[\p{L}\w.]+)?\s*(?:[)+*/%|]|&&|[=!]==|[<>]|\s-\s)|(?:[(+*/%|!]|&&|[=!]==|[<>]=?|\s-\s)\s*this(?:\.[\p{L}\w.]+)?$/u;
const thisProblem: ExpressionProblem = {
  message: '"this" is not a name for the data around a tag',
  hint: 'write a dot for the item, as in {. | upper}, and only the name for a key of it, as in {name | upper}',
};
