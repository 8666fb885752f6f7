import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { PDF } from '@libpdf/core';
import { type Protection, refusedExitCode, toEncryption } from './protection.ts';

process.title = 'docmill-protect';
// The parent ends this process: a signal to the whole group must not interrupt it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.stdout.on('error', () => process.exit(1));

const input = await buffer(process.stdin);
const end = input.indexOf('\n');
const protection = JSON.parse(input.toString('utf8', 0, end)) as Protection;
try {
  const pdf = await PDF.load(input.subarray(end + 1));
  // The library repairs what it can, and may find nothing.
  if (pdf.getPageCount() === 0) throw new Error('it has no pages');
  pdf.setProtection(toEncryption(protection, randomBytes(24).toString('base64')));
  process.stdout.write(await pdf.save());
} catch (error) {
  process.exitCode = refusedExitCode;
  process.stderr.write(String(error));
}
