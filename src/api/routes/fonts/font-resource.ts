import { z } from '@hono/zod-openapi';
import type { FontRecord } from '../../../shared/domain/fonts/font-record.ts';
import type { AnnouncedFamily } from '../../../shared/storage/font-registry.ts';
import { fontStyle } from './account-font-resource.ts';

export const fontSchema = z
  .object({
    name: z.string().openapi({ description: 'Name of the family.', example: 'Noto Sans Thai' }),
    scope: z.enum(['installed', 'account']).openapi({
      description: '`installed` on the workers, for all accounts, or uploaded to your `account`.',
    }),
    fonts: z
      .array(z.object({ id: z.string().openapi({ description: 'Id of the font.' }), style: fontStyle }))
      .optional()
      .openapi({ description: 'The uploaded fonts of the family; only for scope `account`.' }),
    styles: z.array(z.string()).openapi({ description: 'Its styles, sorted.', example: ['Bold', 'Regular'] }),
    scripts: z.array(z.string()).openapi({
      description: 'The scripts that it covers (ISO 15924), sorted. `Zsye` is emoji.',
      example: ['Thai'],
    }),
    version: z.string().optional().openapi({ description: 'Version of the font files.', example: '2.042' }),
    workers: z.number().int().openapi({ description: 'Workers that have it.', example: 3 }),
    complete: z.boolean().openapi({
      description: 'Whether all workers have it. Otherwise documents differ with the worker that makes them.',
    }),
  })
  .openapi('Font');

export function toFontResource(family: AnnouncedFamily, allWorkers: number): z.infer<typeof fontSchema> {
  const { name, styles, scripts, version, workers } = family;
  return {
    name,
    scope: 'installed',
    styles: [...styles],
    scripts: [...scripts],
    ...(version !== undefined && { version }),
    workers,
    complete: workers === allWorkers,
  };
}

/** The families of the account's fonts. Every one of the `workers` can use them. */
export function toAccountFamilies(fonts: readonly FontRecord[], workers: number): z.infer<typeof fontSchema>[] {
  const families = new Map<string, FontRecord[]>();
  for (const font of fonts) {
    const key = font.family.toLowerCase();
    families.set(key, [...(families.get(key) ?? []), font]);
  }
  return Array.from(families.values(), (members) => {
    const [first] = members;
    const version = first?.version ?? undefined;
    return {
      name: first?.family ?? '',
      scope: 'account',
      fonts: members.map(({ id, style }) => ({ id, style })),
      styles: members.map(({ style }) => styleNames[style]).sort(),
      scripts: scriptsOf(members.map(({ coverage }) => coverage)),
      ...(version !== undefined && { version }),
      workers,
      complete: true,
    };
  });
}

const styleNames = { regular: 'Regular', bold: 'Bold', italic: 'Italic', boldItalic: 'Bold Italic' } as const;

/** Characters that a font must have to print text of a script. */
const characters: Readonly<Record<string, string>> = {
  Arab: '\u0627\u0628\u0645',
  Armn: '\u0531\u0561',
  Beng: '\u0995\u09B9',
  Cyrl: '\u042F\u0436',
  Deva: '\u0915\u0939',
  Geor: '\u10D0\u10F0',
  Grek: '\u03B1\u03A9',
  Hans: '\u4EEC\u8FD9',
  Hant: '\u5011\u9019',
  Hebr: '\u05D0\u05EA',
  Jpan: '\u3042\u30A2\u65E5',
  Kore: '\uD55C\uAE00',
  Latn: 'azAZ',
  Taml: '\u0B95\u0BB9',
  Thai: '\u0E01\u0E2E',
};

function scriptsOf(coverage: readonly (readonly number[])[]): string[] {
  const has = (code: number) =>
    coverage.some((ranges) => ranges.some((first, i) => i % 2 === 0 && first <= code && code <= (ranges[i + 1] ?? -1)));
  return Object.entries(characters).flatMap(([script, text]) =>
    Array.from(text).every((character) => has(character.codePointAt(0) ?? -1)) ? [script] : [],
  );
}
