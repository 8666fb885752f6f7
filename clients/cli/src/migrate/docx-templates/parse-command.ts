/** A command of docx-templates. */
export type Command =
  | { readonly kind: 'insert'; readonly code: string }
  | { readonly kind: 'for'; readonly variable: string; readonly code: string }
  | { readonly kind: 'end-for'; readonly variable: string }
  | { readonly kind: 'if'; readonly code: string }
  | { readonly kind: 'end-if' }
  | { readonly kind: 'alias'; readonly name: string; readonly command: string }
  | { readonly kind: 'image' | 'link' | 'html' | 'exec' | 'query'; readonly code: string };

const words = ['QUERY', 'CMD_NODE', 'ALIAS', 'FOR', 'END-FOR', 'IF', 'END-IF', 'INS', 'EXEC', 'IMAGE', 'LINK', 'HTML'];

/** Parses the text between the delimiters. Text without a keyword is an INS command; `*name` expands an alias. */
export function parseCommand(source: string, aliases: ReadonlyMap<string, string>): Command {
  const text = source.trim().replace(/[“”„]/g, '"').replace(/[‘’‚]/g, "'");
  if (text.startsWith('*')) {
    const alias = aliases.get(text.slice(1).trim());
    return alias === undefined ? { kind: 'insert', code: text } : parseCommand(alias, new Map());
  }
  if (text.startsWith('=')) return { kind: 'insert', code: text.slice(1).trim() };
  if (text.startsWith('!')) return { kind: 'exec', code: text.slice(1).trim() };
  const word = words.findLast((known) => new RegExp(`^${known}(?![\\w-])`, 'i').test(text));
  const rest = word === undefined ? text : text.slice(word.length).trim();
  return commandOf(word, rest);
}

function commandOf(word: string | undefined, rest: string): Command {
  switch (word) {
    case 'FOR': {
      const [, variable = '', code = ''] = /^(\S+)\s+IN\s+(.+)$/is.exec(rest) ?? [];
      return { kind: 'for', variable, code };
    }
    case 'END-FOR':
      return { kind: 'end-for', variable: rest };
    case 'IF':
      return { kind: 'if', code: rest };
    case 'END-IF':
      return { kind: 'end-if' };
    case 'ALIAS': {
      const [, name = '', command = ''] = /^(\S+)\s+(.+)$/s.exec(rest) ?? [];
      return { kind: 'alias', name, command };
    }
    case 'IMAGE':
      return { kind: 'image', code: rest };
    case 'LINK':
      return { kind: 'link', code: rest };
    case 'HTML':
      return { kind: 'html', code: rest };
    case 'EXEC':
    case 'CMD_NODE':
      return { kind: 'exec', code: rest };
    case 'QUERY':
      return { kind: 'query', code: rest };
    default:
      return { kind: 'insert', code: rest };
  }
}
