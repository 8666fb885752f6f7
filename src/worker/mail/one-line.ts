const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** The text as one line that is safe in a header: runs of control characters and line separators become one space. */
export function oneLine(text: string): string {
  return text.replace(breaks, ' ').trim();
}
