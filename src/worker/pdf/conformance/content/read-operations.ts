/** A value in a content stream. Numbers are parsed; strings remain bytes. */
export type Operand =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly value: string }
  | { readonly kind: 'string'; readonly bytes: Uint8Array; readonly isOdd?: boolean }
  | { readonly kind: 'array'; readonly items: readonly Operand[] }
  | { readonly kind: 'dict'; readonly entries: ReadonlyMap<string, Operand> }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'other' };

export interface Operation {
  readonly operator: string;
  readonly operands: readonly Operand[];
}

const maxDepth = 32;
const maxOperands = 4_096;

const isSpace = (byte: number): boolean => byte <= 32 && [0, 9, 10, 12, 13, 32].includes(byte);
const delimiters = new Set([...'()<>[]{}/%'].map((char) => char.charCodeAt(0)));
const isRegular = (byte: number): boolean => !isSpace(byte) && !delimiters.has(byte);
const code = (char: string): number => char.charCodeAt(0);
const [open, close, less, greater, slash, percent, backslash] = [...'()<>/%\\'].map(code) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];
const [leftBracket, rightBracket] = [code('['), code(']')];
const octal = /^[0-7]{1,3}/;
const escapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

type Token = Operand | { readonly kind: 'word'; readonly value: string } | { readonly kind: 'end' };

/** The operations of a content stream (ISO 32000-1, 7.8.2). Data of inline images is skipped. */
export function* readOperations(content: Uint8Array): Generator<Operation> {
  const reader = new Reader(content);
  let operands: Operand[] = [];
  for (;;) {
    const token = reader.next(0);
    if (token.kind === 'end') return;
    if (token.kind !== 'word') {
      if (operands.length < maxOperands) operands.push(token);
      continue;
    }
    if (token.value === 'ID') reader.skipImage();
    yield { operator: token.value, operands };
    operands = [];
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(depth: number): Token {
    this.#skipSpace();
    const byte = this.#bytes[this.#at];
    if (byte === undefined) return { kind: 'end' };
    if (byte === slash) return { kind: 'name', value: this.#name() };
    if (byte === open) return { kind: 'string', bytes: this.#literal() };
    if (byte === less && this.#bytes[this.#at + 1] === less) return this.#dict(depth);
    if (byte === less) return this.#hex();
    if (byte === leftBracket) return this.#array(depth);
    if (delimiters.has(byte)) {
      this.#at += byte === greater && this.#bytes[this.#at + 1] === greater ? 2 : 1;
      return { kind: 'other' };
    }
    return this.#word();
  }

  /** Skips from the position after ID to the one before EI. */
  skipImage(): void {
    for (let at = this.#at + 1; at < this.#bytes.length; at++) {
      const isEnd = this.#bytes[at] === 69 && this.#bytes[at + 1] === 73 && isSpace(this.#bytes[at - 1] ?? 0);
      const after = this.#bytes[at + 2];
      if (isEnd && (after === undefined || isSpace(after))) {
        this.#at = at;
        return;
      }
    }
    this.#at = this.#bytes.length;
  }

  #skipSpace(): void {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) return;
      if (byte === percent) {
        while (this.#at < this.#bytes.length && this.#bytes[this.#at] !== 10 && this.#bytes[this.#at] !== 13)
          this.#at++;
      } else if (!isSpace(byte)) return;
      this.#at++;
    }
  }

  #regular(): string {
    const start = this.#at;
    while (this.#at < this.#bytes.length && isRegular(this.#bytes[this.#at] ?? 0)) this.#at++;
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + start, this.#at - start).toString('latin1');
  }

  #word(): Token {
    const text = this.#regular();
    const first = text.charCodeAt(0);
    const isNumber = (first >= 48 && first <= 57) || first === 45 || first === 43 || first === 46;
    if (isNumber) return { kind: 'number', value: Number(text) };
    if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true' };
    return text === 'null' ? { kind: 'other' } : { kind: 'word', value: text };
  }

  #name(): string {
    this.#at++;
    const text = this.#regular();
    if (!text.includes('#')) return text;
    return text.replace(/#([0-9A-Fa-f]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }

  #hex(): Operand {
    const end = this.#bytes.indexOf(greater, this.#at);
    const stop = end < 0 ? this.#bytes.length : end;
    const text = Buffer.from(this.#bytes.subarray(this.#at + 1, stop))
      .toString('latin1')
      .replace(/[^0-9A-Fa-f]/g, '');
    this.#at = stop + 1;
    const isOdd = text.length % 2 !== 0;
    return { kind: 'string', bytes: Buffer.from(isOdd ? `${text}0` : text, 'hex'), isOdd };
  }

  #literal(): Uint8Array {
    const out: number[] = [];
    let nesting = 0;
    for (; this.#at < this.#bytes.length; this.#at++) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte === backslash) this.#escape(out);
      else {
        if (byte === open) nesting++;
        if (byte === close) nesting--;
        if (nesting === 0) break;
        if (byte !== open || nesting > 1) out.push(byte);
      }
    }
    this.#at++;
    return Uint8Array.from(out);
  }

  #escape(out: number[]): void {
    const next = this.#bytes[this.#at + 1] ?? 0;
    const digits = octal.exec(Buffer.from(this.#bytes.subarray(this.#at + 1, this.#at + 4)).toString('latin1'))?.[0];
    this.#at += digits?.length ?? 1;
    if (digits !== undefined) out.push(Number.parseInt(digits, 8) & 255);
    else if (next === 13 && this.#bytes[this.#at + 1] === 10) this.#at++;
    else if (next !== 10 && next !== 13) out.push(escapes[String.fromCharCode(next)] ?? next);
  }

  #array(depth: number): Operand {
    this.#at++;
    const items: Operand[] = [];
    for (;;) {
      this.#skipSpace();
      if (this.#bytes[this.#at] === rightBracket) break;
      const token = depth < maxDepth ? this.next(depth + 1) : this.#skipToken();
      if (token.kind === 'end') return { kind: 'array', items };
      if (token.kind !== 'word') items.push(token);
    }
    this.#at++;
    return { kind: 'array', items };
  }

  #dict(depth: number): Operand {
    this.#at += 2;
    const entries = new Map<string, Operand>();
    let key: string | undefined;
    for (;;) {
      this.#skipSpace();
      if (this.#bytes[this.#at] === greater) break;
      const token = depth < maxDepth ? this.next(depth + 1) : this.#skipToken();
      if (token.kind === 'end') return { kind: 'dict', entries };
      if (key === undefined) key = token.kind === 'name' ? token.value : undefined;
      else {
        entries.set(key, token.kind === 'word' ? { kind: 'other' } : token);
        key = undefined;
      }
    }
    this.#at += 2;
    return { kind: 'dict', entries };
  }

  /** Beyond the maximum depth, brackets are read as single characters. */
  #skipToken(): Token {
    if (this.#bytes[this.#at] === undefined) return { kind: 'end' };
    this.#at++;
    return { kind: 'other' };
  }
}
