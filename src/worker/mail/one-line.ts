const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** The text as a single header-safe line: every run of control characters and line separators becomes one space. */
export function oneLine(text: string): string {
  return text.replace(breaks, ' ').trim();
}
