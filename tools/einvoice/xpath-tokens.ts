export interface Token {
  readonly kind: 'name' | 'variable' | 'string' | 'number' | 'symbol';
  readonly text: string;
}

const pattern =
  /\s+|(?<string>"(?:[^"]|"")*"|'(?:[^']|'')*')|(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|\$(?<variable>[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)|(?<name>[A-Za-z_][\w.-]*:\*|(?:[A-Za-z_][\w.-]*:(?!:))?[A-Za-z_][\w.-]*)|(?<symbol>::|\/\/|\.\.|!=|<=|>=|[()[\],/.@=<>+*|-])/gy;

/** The tokens of an XPath expression. Axis names keep their `::` as the next token. */
export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  while (pattern.lastIndex < source.length) {
    const start = pattern.lastIndex;
    const groups = pattern.exec(source)?.groups;
    if (groups === undefined) throw new Error(`unknown token in XPath: ${source.slice(start, start + 40)}`);
    const [kind, text] = Object.entries(groups).find(([, value]) => value !== undefined) ?? [];
    if (kind === undefined || text === undefined) continue;
    tokens.push({ kind: kind as Token['kind'], text: kind === 'string' ? unquote(text) : text });
  }
  return tokens;
}

function unquote(text: string): string {
  const quote = text.slice(0, 1);
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}
