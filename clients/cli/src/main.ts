#!/usr/bin/env node
import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

if (process.argv.slice(2).join(' ') === '--version') {
  process.stdout.write(`${version}\n`);
} else {
  process.stderr.write('Usage: docmill --version\n');
  process.exitCode = 2;
}
