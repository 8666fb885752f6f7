/** Markup that is safe to write unescaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[];

/** Markup from a template literal. Every value is escaped unless it is markup. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(
    strings.map((part, index) => part + (index < values.length ? toMarkup(values[index] ?? '') : '')).join(''),
  );
}

function toMarkup(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeText(String(value));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string): string =>
  // HTML does not allow control characters.
  text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '').replace(/[^\P{Cc}\n\t]/gu, '\ufffd');
