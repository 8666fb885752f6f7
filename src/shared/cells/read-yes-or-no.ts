/** In lower case and without accents, which is how `plain` normalises a cell. */
const yes: ReadonlySet<string> = new Set([
  ...['1', 'x', 'y', 'j', 't', 's', 'true', 'yes', 'ja', 'jah', 'oui', 'si', 'sim', 'tak', 'ano', 'da', 'igen'],
  ...['kylla', 'taip', 'evet', 'ναι', 'да', 'так', 'wahr', 'vrai', 'verdadero', 'vero', 'verdadeiro', 'waar'],
  ...['prawda', 'pravda', 'sant', 'sand', 'sann', 'tosi', 'igaz', 'adevarat', 'dogru', 'αληθης', 'истина'],
]);

const no: ReadonlySet<string> = new Set([
  // Columns of ticks or crosses leave the cell empty for no.
  ...['', '0', 'n', 'f', 'false', 'no', 'nein', 'non', 'nao', 'nee', 'nej', 'nei', 'nie', 'ne', 'nu', 'nem', 'ei'],
  ...['hayir', 'hayır', 'οχι', 'нет', 'не', 'ні', 'falsch', 'faux', 'falso', 'onwaar', 'falsz', 'fałsz', 'nepravda'],
  ...['falskt', 'falsk', 'usann', 'epatosi', 'hamis', 'fals', 'yanlis', 'yanlıs', 'ψευδης', 'ложь'],
]);

/** Longer than any word above, even with its accents as separate characters. */
const longestWord = 20;

/**
 * Reads a table cell as yes or no. Accepts the words of European languages and of their spreadsheets, in any case and
 * with surrounding spaces. Returns undefined for anything else: a wrong guess could record a failed exam as passed.
 */
export function readYesOrNo(cell: string): boolean | undefined {
  const text = cell.trim();
  if (text.length > longestWord) return undefined;
  const word = plain(text);
  if (no.has(word)) return false;
  return yes.has(word) ? true : undefined;
}

function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
