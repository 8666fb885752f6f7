import { hash } from 'node:crypto';
import { randomText } from '../../ids.ts';

const pattern = /^dts_(?:test_)?([0-9a-hjkmnp-tv-z]{16})_([0-9a-hjkmnp-tv-z]{40})$/;

/** A key as clients send it: `dts_`, `test_` for a test key, 80 random bits that identify the row, `_`, and a secret of 200 random bits. */
export function makeApiKey(isTest: boolean): {
  readonly apiKey: string;
  readonly publicId: string;
  readonly secretHash: Buffer;
} {
  const publicId = randomText(16);
  const apiKey = `dts_${isTest ? 'test_' : ''}${publicId}_${randomText(40)}`;
  return { apiKey, publicId, secretHash: hashApiKey(apiKey) };
}

export function parsePublicId(apiKey: string): string | undefined {
  return pattern.exec(apiKey)?.[1];
}

/** SHA-256 of the whole key. With 200 random bits, a slow hash adds nothing. */
export function hashApiKey(apiKey: string): Buffer {
  return hash('sha256', apiKey, 'buffer');
}

/** The prefix by which people recognise a key: 40 of the bits that identify its row, none of the secret. */
export function keyPrefix(publicId: string, isTest: boolean): string {
  return `dts_${isTest ? 'test_' : ''}${publicId.slice(0, 8)}`;
}
