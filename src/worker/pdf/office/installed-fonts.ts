import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { mergeRanges, parseRanges } from '../../../shared/code-point-set.ts';
import type { DrawingFace, FontFamily } from '../../../shared/fonts.ts';
import { drawsPictureFonts, findSoffice } from './programs.ts';
import { scriptsOf } from './script-languages.ts';

const run = promisify(execFile);
const properties = [
  ...['file', 'family', 'style', 'fontversion', 'outline', 'scalable', 'variable', 'weight', 'slant', 'width'],
  ...['fontformat', 'lang', 'charset'],
] as const;
const byFace = `${properties.map((name) => `%{${name}}`).join('\\t')}\\n`;
/** Fontconfig's weights. */
const drawnWeights: Readonly<Record<string, 'regular' | 'bold'>> = { 80: 'regular', 200: 'bold' };
const mostOutputBytes = 64 * 1024 * 1024;

export interface InstalledFonts {
  /** Families that LibreOffice can use, under all their names. */
  readonly families: readonly string[];
  /** Families of font files outside its jail, for example in a home folder. */
  readonly unavailable: readonly string[];
  /** The files of these fonts. */
  readonly files: readonly string[];
  /** The same families under their first name, with their properties. */
  readonly fonts: readonly FontFamily[];
  /** The characters that at least one of them has. */
  readonly coverage: {
    readonly key: string;
    readonly ranges: readonly number[];
    /** The upright regular and bold outline faces, which are used to draw SVG pictures. */
    readonly faces: readonly DrawingFace[];
  };
}

/** Fonts known to fontconfig or included in LibreOffice. Undefined if fontconfig is missing (macOS). */
export async function listInstalledFonts(sofficePath?: string): Promise<InstalledFonts | undefined> {
  const system = await facesOf('fc-list', ['--format', byFace]).catch(() => undefined);
  if (system === undefined) return undefined;
  const home = dirname(dirname(await findSoffice(sofficePath)));
  const bundled = await facesOf('fc-scan', ['--format', byFace, join(home, 'share/fonts')]).catch(() => []);
  const isInside = new Map<string, boolean>();
  for (const { file } of system) if (!isInside.has(file)) isInside.set(file, await isInJail(file, home));
  const drawsPictures = await drawsPictureFonts(home);
  const isUsable = ({ isPostScript, isOutline, isScalable }: Face) =>
    !isPostScript && (isOutline || (isScalable && drawsPictures));
  const faces = [...bundled, ...system.filter(({ file }) => isInside.get(file) === true)].filter(isUsable);
  const families = new Set(faces.flatMap(({ names }) => names));
  const hidden = new Set(system.filter(({ file }) => isInside.get(file) !== true).flatMap(({ names }) => names));
  return {
    families: [...families].sort(),
    unavailable: [...hidden].filter((family) => !families.has(family)).sort(),
    files: [...new Set(faces.map(({ file }) => file))],
    fonts: toFamilies(faces),
    coverage: toCoverage(faces),
  };
}

interface Face {
  readonly file: string;
  readonly names: readonly string[];
  readonly style: string;
  readonly version: string | undefined;
  /** Whether its file is a PostScript font, which LibreOffice cannot read. */
  readonly isPostScript: boolean;
  /** Whether its glyphs are outlines; those of a colour emoji font may be pictures. */
  readonly isOutline: boolean;
  readonly isScalable: boolean;
  /** Undefined for other weights, italics and narrow or wide faces. */
  readonly drawnWeight: 'regular' | 'bold' | undefined;
  readonly languages: ReadonlySet<string>;
  /** In fontconfig's notation. Faces of one family often share it. */
  readonly charset: string;
}

async function facesOf(program: string, args: readonly string[]): Promise<Face[]> {
  const { stdout } = await run(program, args, { timeout: 20_000, maxBuffer: mostOutputBytes });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [file = '', names = '', style = '', version = '', outline, scalable, ...more] = line.split('\t');
      const [variable, weight, slant, width, format, languages = '', charset = ''] = more;
      return {
        file,
        names: listed(names),
        style: listed(style)[0] ?? '',
        version: readVersion(version),
        isPostScript: format === 'Type 1',
        isOutline: outline === 'True',
        isScalable: scalable === 'True',
        drawnWeight: variable === 'True' || slant !== '0' || width !== '100' ? undefined : drawnWeights[weight ?? ''],
        languages: new Set(languages.split('|')),
        charset,
      };
    });
}

function listed(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.replaceAll('\\', '').trim())
    .filter((name) => name !== '');
}

/** A 16.16 fixed-point number (OpenType `head`, fontRevision). */
function readVersion(text: string): string | undefined {
  const version = Number(text) / 65_536;
  return version > 0 ? String(Math.round(version * 1_000) / 1_000) : undefined;
}

function toFamilies(faces: readonly Face[]): FontFamily[] {
  const families = new Map<string, Face[]>();
  for (const face of faces) {
    const [name] = face.names;
    if (name === undefined) continue;
    const known = families.get(name);
    if (known === undefined) families.set(name, [face]);
    else known.push(face);
  }
  return [...families]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, of]) => {
      const version = of.find((face) => face.version !== undefined)?.version;
      return {
        name,
        styles: [...new Set(of.map(({ style }) => style).filter((style) => style !== ''))].sort(),
        scripts: scriptsOf(of.map(({ languages }) => languages)),
        ...(version !== undefined && { version }),
      };
    });
}

function toCoverage(all: readonly Face[]): InstalledFonts['coverage'] {
  const rangesOf = new Map(all.map(({ charset }) => [charset, undefined as readonly number[] | undefined]));
  for (const charset of rangesOf.keys()) rangesOf.set(charset, parseRanges(charset));
  const ranges = mergeRanges(Array.from(rangesOf.values(), (of) => of ?? []));
  const faces = all.flatMap(({ file, names: [family], isOutline, drawnWeight, charset }): DrawingFace[] =>
    isOutline && drawnWeight !== undefined && family !== undefined
      ? [{ file, family, isBold: drawnWeight === 'bold', ranges: rangesOf.get(charset) ?? [] }]
      : [],
  );
  faces.sort((a, b) => (`${a.family}\0${a.file}` < `${b.family}\0${b.file}` ? -1 : 1));
  const content = JSON.stringify([ranges, faces]);
  return { key: hash('sha256', content, 'hex').slice(0, 32), ranges, faces };
}

async function isInJail(file: string, officeHome: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const path = await realpath(file).catch(() => '');
  return path.startsWith('/usr/') || path.startsWith(`${officeHome}/`);
}
