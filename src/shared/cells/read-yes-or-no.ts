/** Without accents and in small letters, as `plain` writes a cell. */
const yes: ReadonlySet<string> = new Set([
  ...['1', 'x', 'y', 'j', 't', 's', 'true', 'yes', 'ja', 'jah', 'oui', 'si', 'sim', 'tak', 'ano', 'da', 'igen'],
  ...['kylla', 'taip', 'evet', 'ναι', 'да', 'так', 'wahr', 'vrai', 'verdadero', 'vero', 'verdadeiro', 'waar'],
  ...['prawda', 'pravda', 'sant', 'sand', 'sann', 'tosi', 'igaz', 'adevarat', 'dogru', 'αληθης', 'истина'],
]);

const no: ReadonlySet<string> = new Set([
  // An empty cell is how a column of crosses says no.
  ...['', '0', 'n', 'f', 'false', 'no', 'nein', 'non', 'nao', 'nee', 'nej', 'nei', 'nie', 'ne', 'nu', 'nem', 'ei'],
  ...['hayir', 'hayır', 'οχι', 'нет', 'не', 'ні', 'falsch', 'faux', 'falso', 'onwaar', 'falsz', 'fałsz', 'nepravda'],
  ...['falskt', 'falsk', 'usann', 'epatosi', 'hamis', 'fals', 'yanlis', 'yanlıs', 'ψευδης', 'ложь'],
]);

/**
 * Reads a cell of a table as yes or no: the words of European languages and of spreadsheets in them, in any capitals and with spaces
 * around. Undefined for anything else: a guess would tell somebody who failed that she passed.
 */
export function readYesOrNo(cell: string): boolean | undefined {
  const word = plain(cell);
  if (no.has(word)) return false;
  return yes.has(word) ? true : undefined;
}

function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').trim().toLowerCase();
}
