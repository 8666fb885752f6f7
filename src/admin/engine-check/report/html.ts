/** Markup that needs no escaping. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[];

/** Builds markup from a template literal. Escapes every value that is not markup itself. */
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
  // Control characters are not allowed in HTML.
  text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '').replace(/[^\P{Cc}\n\t]/gu, '\ufffd');
