import { readFileSync } from 'node:fs';
import { fontsOfKind, substituteRules } from '../../../shared/font-substitutes.ts';

/** Its name in the folder of the agent. */
export const fontSettingsFile = 'fonts.conf';

const head = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">`;

/**
 * LibreOffice keeps the fonts that documents embed. A later document cannot name them, because their names are random, but
 * LibreOffice asks fontconfig for any font that has a character which no other font has. To fontconfig, embedded fonts
 * therefore have a single code point, which is not a character.
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
/** LibreOffice reads no fonts of PostScript, but asks for those that fontconfig names. */
const rejectPostScriptFonts = reject('"fontformat"><string>Type 1</string>');

/**
 * The fontconfig file of LibreOffice: the fonts of the system, and what takes the place of those that are not installed.
 * LibreOffice 25.2 follows strong bindings only, which the rules of distributions do not use.
 */
export function fontSettings({ drawsPictureFonts }: { readonly drawsPictureFonts: boolean }): string {
  // Each puts its fonts behind the name that was asked for: the last one first, and all before those of distributions, some of
  // which have fonts for Helvetica and Symbol. So the report of an upload names what is printed.
  const rules = [...substituteRules]
    .reverse()
    .filter(({ name, fonts }) => fonts.length > 1 || name === 'Symbol')
    .map(({ name, test, fonts }) => edit('first', test === 'is' ? 'eq' : 'contains', name, 'append', fonts));
  // The kinds follow from the document (25.2 passes its font table on) and from the rules of the distribution.
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

/** The settings of the machine, or those that `file` has in their place: its content, because LibreOffice's jail hides the file. */
function systemSettings(file: string | undefined): string {
  if (file === undefined || file === '') return '  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>';
  const [, content] = /<fontconfig[^>]*>(.*)<\/fontconfig>/s.exec(readFileSync(file, 'utf8')) ?? [];
  if (content === undefined) throw new Error(`FONTCONFIG_FILE must name a file of fontconfig, but is ${file}.`);
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
