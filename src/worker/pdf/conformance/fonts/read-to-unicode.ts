const maxEntries = 70_000;

/** The Unicode text of each character code in a ToUnicode CMap (ISO 32000-1, 9.10.3). */
export function readToUnicode(content: Uint8Array): ReadonlyMap<number, string> {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  const values = new Map<number, string>();
  for (const [, section = ''] of text.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, code = '', value = ''] of section.matchAll(/<([0-9A-Fa-f\s]+)>\s*<([0-9A-Fa-f\s]*)>/g)) {
      if (values.size < maxEntries) values.set(Number.parseInt(code, 16), decode(value));
    }
  }
  for (const [, section = ''] of text.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) readRanges(section, values);
  return values;
}

const range = /<([0-9A-Fa-f\s]+)>\s*<([0-9A-Fa-f\s]+)>\s*(?:<([0-9A-Fa-f\s]*)>|\[([^\]]*)\])/g;

function readRanges(section: string, values: Map<number, string>): void {
  for (const [, first = '', last = '', start, list] of section.matchAll(range)) {
    const [from, to] = [Number.parseInt(first, 16), Number.parseInt(last, 16)];
    const items = list?.match(/<[^>]*>/g)?.map((item) => decode(item.slice(1, -1)));
    const base = decode(start ?? '');
    for (let code = from; code <= to && values.size < maxEntries; code++) {
      const value = items?.[code - from] ?? (start === undefined ? undefined : following(base, code - from));
      if (value !== undefined) values.set(code, value);
    }
  }
}

function following(base: string, offset: number): string {
  const last = base.charCodeAt(base.length - 1);
  return Number.isNaN(last) ? '' : base.slice(0, -1) + String.fromCharCode((last + offset) & 0xffff);
}

function decode(hex: string): string {
  const bytes = Buffer.from(hex.replace(/\s/g, ''), 'hex');
  let text = '';
  for (let at = 0; at + 1 < bytes.length; at += 2) text += String.fromCharCode(bytes.readUInt16BE(at));
  return text;
}
