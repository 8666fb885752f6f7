import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../../src/admin/commands.ts';

const pages = ['docs/operations', 'docs/reference', 'docs/guides'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** A command as `admin -- queues`, `admin queues`, `dist/admin/main.js queues`, with the options of its line. */
const invocation = /(?:admin -- |`admin |admin\/main\.js |--rm admin )([a-z][\w-]+)([^`\n|]*(?:\\\n[^`\n|]*)*)/g;

test('every operator command and option in the documentation exists', () => {
  const problems: string[] = [];
  let found = 0;
  for (const page of pages) {
    for (const [, name = '', rest = ''] of readFileSync(page, 'utf8').matchAll(invocation)) {
      found += 1;
      const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
      if (command === undefined) {
        problems.push(`${page}: admin ${name}`);
        continue;
      }
      const known = new Set([...Object.keys(command.options), 'json', 'help', 'actor']);
      for (const [, option = ''] of rest.matchAll(/(?:^|\s)--([a-z][\w-]*)/g))
        if (!known.has(option)) problems.push(`${page}: admin ${name} --${option}`);
    }
  }
  expect(problems).toEqual([]);
  expect(found).toBeGreaterThan(60);
});
