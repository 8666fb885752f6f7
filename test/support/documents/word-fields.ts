import { escapeXml } from './docx-builder.ts';

interface FieldParts {
  /** The `w:rPr` of its runs. */
  readonly run?: string;
  readonly result?: string;
  /** Markup beside the result. */
  readonly inside?: string;
  /** Fields in the code, by the words in their place. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** A complex field as Word writes it: its code is split over two runs. */
export function complexField(
  code: string,
  { run = '', result = '«result»', inside = '', fields = {} }: FieldParts = {},
): string {
  const mark = (type: string) => `<w:r>${run}<w:fldChar w:fldCharType="${type}"/></w:r>`;
  const half = Math.floor(code.length / 2);
  const words = Object.keys(fields);
  const pieces =
    words.length === 0 ? [code.slice(0, half), code.slice(half)] : code.split(new RegExp(`(${words.join('|')})`));
  const runs = [' ', ...pieces, ' '].map((text) => {
    return fields[text] ?? `<w:r>${run}<w:instrText xml:space="preserve">${escapeXml(text)}</w:instrText></w:r>`;
  });
  return `${mark('begin')}${runs.join('')}${mark('separate')}${inside}<w:r>${run}<w:t>${result}</w:t></w:r>${mark('end')}`;
}

export function simpleField(code: string): string {
  return `<w:fldSimple w:instr=" ${escapeXml(code)} "><w:r><w:t>«result»</w:t></w:r></w:fldSimple>`;
}
