import type { ScannedPart } from '../core/compile/scan-template.ts';
import type { Warning } from '../core/warning.ts';
import { type Dictionary, hasWord } from '../language/dictionary.ts';
import { normalizeExpression } from '../language/expressions/normalize-expression.ts';

const maxWarnings = 50;
const translated = /(?:"([^"\\]*)"|'([^'\\]*)')\s*\|\s*translate\b/g;

/** Warnings about words in tags, such as `{"total" | translate}`, that no dictionary has in any language. */
export function unknownWords(scanned: readonly ScannedPart[], dictionaries: readonly Dictionary[]): Warning[] {
  const found = new Map<string, Warning>();
  for (const { label, tags } of scanned) {
    for (const { text, written } of tags) {
      for (const [, double, single = ''] of normalizeExpression(text).matchAll(translated)) {
        const word = double ?? single;
        if (hasWord(dictionaries, word) || found.size >= maxWarnings) continue;
        const message = `${written}: the dictionary has no word "${word}". Add a row for it to the table of {$dictionary}, or add it to the account's dictionary.`;
        found.set(`${message} ${label}`, { code: 'missing_word', message, part: label });
      }
    }
  }
  return [...found.values()];
}
