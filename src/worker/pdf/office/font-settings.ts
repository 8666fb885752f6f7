import { readFileSync } from 'node:fs';
import { fontsOfKind, substituteRules } from '@docmill/word/font-substitutes';

/** The name of the file in the agent's folder. */
export const fontSettingsFile = 'fonts.conf';

const head = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">`;

/**
 * LibreOffice keeps the fonts embedded in documents. A later document cannot name them, because their names are random,
 * but if no other font has a character, LibreOffice asks fontconfig for any font that does. To fontconfig, embedded
 * fonts therefore have a single code point that is not a character.
 */
const hideEmbedded = `  <match target="scan">
    <test name="file" compare="contains"><string>/embeddedfonts/</string></test>
    <edit name="charset" mode="assign"><charset><int>0xFFFFF</int></charset></edit>
  </match>`;

const reject = (property: string) => `  <selectfont>
    <rejectfont>
      <pattern><patelt name=${property}</patelt></pattern>
    </rejectfont>
  </selectfont>`;
const rejectPictureFonts = reject('"outline"><bool>false</bool>');
/** LibreOffice cannot read PostScript fonts, but still requests those that fontconfig lists. */
const rejectPostScriptFonts = reject('"fontformat"><string>Type 1</string>');

/**
 * LibreOffice's fontconfig file: the system's fonts, and substitutes for fonts that are not installed. LibreOffice 25.2
 * follows only strong bindings, which the rules of distributions do not use.
 */
export function fontSettings({ drawsPictureFonts }: { readonly drawsPictureFonts: boolean }): string {
  // Each rule places its fonts after the requested name, so the last rule comes first, and all precede those of
  // distributions, some of which have fonts for Helvetica and Symbol. The report of an upload therefore names the
  // printed font.
  const rules = [...substituteRules]
    .reverse()
    .filter(({ name, fonts }) => fonts.length > 1 || name === 'Symbol')
    .map(({ name, test, fonts }) => edit('first', test === 'is' ? 'eq' : 'contains', name, 'append', fonts));
  // The kinds come from the document (25.2 passes on its font table) and from the distribution's rules.
  const kinds = [
    edit('any', 'eq', 'monospace', 'append_last', fontsOfKind.mono),
    edit('any', 'eq', 'serif', 'append_last', fontsOfKind.serif),
    edit('any', 'eq', 'sans-serif', 'append_last', fontsOfKind.sans),
  ];
  return [
    head,
    '<fontconfig>',
    systemSettings(process.env.FONTCONFIG_FILE),
    ...rules,
    ...kinds,
    hideEmbedded,
    rejectPostScriptFonts,
    ...(drawsPictureFonts ? [] : [rejectPictureFonts]),
    '</fontconfig>\n',
  ].join('\n');
}

/**
 * The settings of the host or, if given, those in `file`. Includes the content of the file, because LibreOffice's jail
 * hides it.
 */
function systemSettings(file: string | undefined): string {
  if (file === undefined || file === '') return '  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>';
  const [, content] = /<fontconfig[^>]*>(.*)<\/fontconfig>/s.exec(readFileSync(file, 'utf8')) ?? [];
  if (content === undefined) throw new Error(`FONTCONFIG_FILE must name a fontconfig file, but is ${file}.`);
  return content;
}

function edit(
  which: 'first' | 'any',
  compare: 'eq' | 'contains',
  name: string,
  mode: 'append' | 'append_last',
  fonts: readonly string[],
): string {
  const strings = fonts.map((font) => `<string>${font}</string>`).join('');
  return (
    `  <match target="pattern"><test name="family" qual="${which}" compare="${compare}"><string>${name}</string></test>` +
    `<edit name="family" mode="${mode}" binding="strong">${strings}</edit></match>`
  );
}
