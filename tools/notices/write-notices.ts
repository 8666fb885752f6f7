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
      link: z.boolean().optional(),
    }),
  ),
});

/** The licences of all installed packages in the lock file that ship with the service, as Markdown. */
export function writeNotices(projectFolder: string): string {
  const { packages } = lockFile.parse(JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')));
  const shipped = Object.entries(packages)
    .filter(([, { dev, devOptional, link }]) => dev !== true && devOptional !== true && link !== true)
    // The other entries are the project and its clients.
    .filter(([path]) => path.includes('node_modules/') && existsSync(join(projectFolder, path)))
    .map(([path, entry]) => ({ path, name: path.slice(path.lastIndexOf('node_modules/') + 13), ...entry }))
    .sort((a, b) => compare(a.name, b.name) || compare(a.version ?? '', b.version ?? ''));
  const sections = new Map<string, string>();
  for (const { path, name, version = '', license } of shipped) {
    const heading = `## ${name} ${version}`;
    const text = readLicense(join(projectFolder, path));
    const body = text === undefined ? '' : `\n\`\`\`\`text\n${text}\n\`\`\`\`\n`;
    sections.set(heading, `${heading}\n\nLicence: ${license ?? 'see below'}\n${body}`);
  }
  const intro = `# Third-party notices

Docmill ships with the packages below. The images install LibreOffice, PostgreSQL and the fonts from Debian, which stores their
licences in \`/usr/share/doc\`.
`;
  return [intro, ...sections.values()].join('\n');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function readLicense(folder: string): string | undefined {
  const file = readdirSync(folder)
    .sort()
    .find((name) => /^(licen[cs]e|copying)(\.|-|$)/i.test(name));
  if (file === undefined) return undefined;
  return readFileSync(join(folder, file), 'utf8')
    .replaceAll('\r\n', '\n')
    .replace(/[ \t]+$/gm, '')
    .trim();
}
