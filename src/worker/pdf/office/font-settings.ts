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

const rejectPictureFonts = `  <selectfont>
    <rejectfont>
      <pattern><patelt name="outline"><bool>false</bool></patelt></pattern>
    </rejectfont>
  </selectfont>`;

/**
 * The fontconfig file of LibreOffice: the fonts of the system, and what takes the place of those that are not installed.
 * LibreOffice 25.2 follows strong bindings only, which the rules of distributions do not use.
 */
export function fontSettings({ drawsPictureFonts }: { readonly drawsPictureFonts: boolean }): string {
  const rules = substituteRules
    .filter(({ fonts }) => fonts.length > 1)
    .map(({ name, test, fonts }) => append('first', test === 'is' ? 'eq' : 'contains', name, fonts));
  // The kinds follow from the document (25.2 passes its font table on) and from the rules of the distribution.
  const kinds = [
    append('any', 'eq', 'monospace', fontsOfKind.mono),
    append('any', 'eq', 'serif', fontsOfKind.serif),
    append('any', 'eq', 'sans-serif', fontsOfKind.sans),
  ];
  return [
    head,
    '<fontconfig>',
    ...rules,
    '  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>',
    ...kinds,
    hideEmbedded,
    ...(drawsPictureFonts ? [] : [rejectPictureFonts]),
    '</fontconfig>\n',
  ].join('\n');
}

function append(which: 'first' | 'any', compare: 'eq' | 'contains', name: string, fonts: readonly string[]): string {
  const strings = fonts.map((font) => `<string>${font}</string>`).join('');
  return (
    `  <match target="pattern"><test name="family" qual="${which}" compare="${compare}"><string>${name}</string></test>` +
    `<edit name="family" mode="append_last" binding="strong">${strings}</edit></match>`
  );
}
