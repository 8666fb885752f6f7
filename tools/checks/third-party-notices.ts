import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      optional: z.boolean().optional(),
      link: z.boolean().optional(),
      peer: z.boolean().optional(),
    }),
  ),
});

/** The packages in the lock file that ship with the service or its clients, with their licences; the same text on every machine. */
export function writeThirdPartyNotices(projectFolder: string): string {
  const { packages } = lockFile.parse(JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')));
  const shipped = Object.entries(packages)
    .filter(([, { dev, devOptional, link }]) => dev !== true && devOptional !== true && link !== true)
    // The rest are the project and its own clients.
    .filter(([path]) => path.includes('node_modules/'))
    .map(([path, entry]) => ({ path, name: path.slice(path.lastIndexOf('node_modules/') + 13), ...entry }))
    .sort((a, b) => compare(a.name, b.name) || compare(a.version ?? '', b.version ?? ''));
  const sections = new Map<string, string>();
  for (const { path, name, version = '', license, optional } of shipped) {
    const heading = `## ${name} ${version}`;
    // Optional packages are installed on some platforms only: their licence is named without its text.
    const text = optional === true ? undefined : readLicense(join(projectFolder, path));
    const body = text === undefined ? '' : `\n\`\`\`\`text\n${text}\n\`\`\`\`\n`;
    sections.set(heading, `${heading}\n\nLicence: ${license ?? 'see below'}\n${body}`);
  }
  const intro = `# Third-party notices

Docmill and its clients ship with the packages below. This file is made from package-lock.json: \`npm run generate\` writes it,
\`npm run verify\` checks it. LibreOffice, PostgreSQL, Redis and the fonts of the images are installed from Debian, which
keeps their licences in \`/usr/share/doc\`.
`;
  return [intro, ...sections.values()].join('\n');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function readLicense(folder: string): string | undefined {
  if (!existsSync(folder)) throw new Error(`${folder} is missing: run npm ci`);
  const file = readdirSync(folder)
    .sort()
    .find((name) => /^(licen[cs]e|copying)(\.|-|$)/i.test(name));
  if (file === undefined) return undefined;
  return readFileSync(join(folder, file), 'utf8')
    .replaceAll('\r\n', '\n')
    .replace(/[ \t]+$/gm, '')
    .trim();
}
