/**
 * A script (ISO 15924) is covered by a font that has all characters of one of these languages, as fontconfig's tables define
 * them.
 */
const languagesOf: Readonly<Record<string, readonly string[]>> = {
  Arab: ['ar', 'fa', 'ur'],
  Armn: ['hy'],
  Beng: ['bn', 'as'],
  Cyrl: ['ru', 'uk', 'sr'],
  Deva: ['hi', 'mr', 'ne', 'sa'],
  Ethi: ['am', 'ti'],
  Geor: ['ka'],
  Grek: ['el'],
  Gujr: ['gu'],
  Guru: ['pa'],
  Hans: ['zh-cn'],
  Hant: ['zh-tw'],
  Hebr: ['he'],
  Jpan: ['ja'],
  Khmr: ['km'],
  Knda: ['kn'],
  Kore: ['ko'],
  Laoo: ['lo'],
  Latn: ['en', 'de', 'fr', 'es', 'pl'],
  Mlym: ['ml'],
  Mymr: ['my'],
  Orya: ['or'],
  Sinh: ['si'],
  Taml: ['ta'],
  Telu: ['te'],
  Thai: ['th'],
  Tibt: ['bo', 'dz'],
  Zsye: ['und-zsye'],
};

/** All scripts that are checked, sorted. */
export const knownScripts: readonly string[] = Object.keys(languagesOf);

/** The scripts that a family covers, by the languages of its faces, sorted. */
export function scriptsOf(faces: readonly ReadonlySet<string>[]): string[] {
  return Object.entries(languagesOf)
    .filter(([, languages]) => faces.some((of) => languages.some((language) => of.has(language))))
    .map(([script]) => script);
}
