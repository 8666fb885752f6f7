import { z } from 'zod';
import { isAddressRange } from './address-ranges.ts';
import { brandLook } from './brand-variables.ts';
import { count, secret, text, url, variable } from './variable.ts';

const publicKeys = z
  .string()
  .default('')
  .transform((value) => value.split(',').flatMap((key) => (key.trim() === '' ? [] : [key.trim()])));

const ranges = z
  .string()
  .default('')
  .transform((value) => value.split(',').flatMap((range) => (range.trim() === '' ? [] : [range.trim()])))
  .refine((list) => list.every(isAddressRange), {
    message: 'must be IP addresses and ranges such as 203.0.113.0/24, separated by commas',
  });

export const apiVariables = {
  HOST: variable(text.default('127.0.0.1'), 'address', 'Address that the API listens on.'),
  PORT: variable(count(3000, 0, 65_535), 'port', 'Port of the API; 0 selects a free one.'),
  PUBLIC_URL: variable(
    url('http:', 'https:').optional(),
    'URL',
    'Address of the service in `Link` headers.',
    'from the request',
  ),
  SIGN_IN_FILE: variable(
    text.optional(),
    'file',
    'JSON file with the OpenID Connect providers by which people sign in to the console; requires `PUBLIC_URL`.',
  ),
  RECEIPT_SIGNING_KEY: secret(
    text.optional(),
    'key',
    'Ed25519 private key (PKCS#8 in PEM, or its DER form in base64) that signs receipts; without it they have no signature.',
  ),
  RECEIPT_RETIRED_KEYS: secret(
    publicKeys,
    'list',
    'Public keys (SPKI in DER, base64) of earlier signing keys, separated by commas; `/.well-known/jwks.json` keeps them.',
  ),
  ADMIN_PORT: variable(
    z.coerce.number().int().min(0).max(65_535).optional(),
    'port',
    'Port of the admin API, which then answers 404 on `PORT`; 0 selects a free one.',
    '`PORT`',
  ),
  ADMIN_HOST: variable(text.default('127.0.0.1'), 'address', 'Address that `ADMIN_PORT` listens on.'),
  ADMIN_REQUESTS_PER_MINUTE: variable(
    count(600, 1, 1_000_000),
    'requests',
    'Requests that an operator key without a limit of its own may send in a minute.',
  ),
  TRUSTED_PROXIES: variable(
    ranges,
    'list',
    'Addresses and CIDR ranges of proxies whose `X-Forwarded-For` is believed, separated by commas. The address ranges of operator keys then apply to the client of the proxy.',
  ),
  RATE_LIMIT_REQUESTS: variable(
    count(1000),
    'requests',
    'Requests that an account may send in each window; 0 disables the limit.',
  ),
  RATE_LIMIT_WINDOW_SECONDS: variable(count(10, 1, 86_400), 's', 'Length of the rate limit window.'),
  TEST_RATE_LIMIT_REQUESTS: variable(
    count(100),
    'requests',
    'Requests that the test keys of an account may send together in each window; 0 disables the limit.',
  ),
  TEST_RATE_LIMIT_WINDOW_SECONDS: variable(count(60, 1, 86_400), 's', 'Length of the rate limit window of test keys.'),
  PREVIEW_RATE_LIMIT_REQUESTS: variable(
    count(60),
    'requests',
    'Previews that an account may request in each window, in addition to the limits of all requests; 0 disables the limit.',
  ),
  PREVIEW_RATE_LIMIT_WINDOW_SECONDS: variable(
    count(60, 1, 86_400),
    's',
    'Length of the rate limit window of previews.',
  ),
  MAIL_RECIPIENTS_PER_DAY: variable(
    count(100_000),
    'recipients',
    'Recipients to whom an account may send in a day (UTC), counted for each e-mail; 0 disables the limit.',
  ),
  MAIL_MESSAGES_PER_RECIPIENT_PER_DAY: variable(
    count(1_000),
    'e-mails',
    'E-mails that an account may send to one address in a day (UTC); 0 disables the limit.',
  ),
  ...brandLook,
  MAX_CONNECTIONS: variable(
    count(10_000, 1),
    'connections',
    'Maximum number of open client connections of this process.',
  ),
  DRAIN_DELAY_MS: variable(
    count(2_000),
    'ms',
    'How long new requests are still served after SIGTERM, so that load balancers can react.',
  ),
  MAX_WAITING: variable(
    count(2_000, 1),
    'requests',
    'Requests of this process that may wait for a document or an upload; further ones get 503.',
  ),
  MAX_WAITING_PER_ACCOUNT: variable(count(1_000, 1), 'requests', 'The same limit for one account.'),
  MAX_IN_PROGRESS_PER_ACCOUNT: variable(
    count(100, 1),
    'requests',
    'Requests for documents that this process serves at a time for one account; further ones wait. The number is lower while the process is short of CPU time that other accounts need.',
  ),
  QUEUE_DEPTH_LIMIT: variable(
    count(50_000, 1),
    'documents',
    'When more documents wait in a queue, requests get 503 if their account has more than its share of the queue.',
  ),
  QUEUE_DEPTH_LIMIT_PER_ACCOUNT: variable(
    count(10_000, 1),
    'documents',
    'When more documents of an account wait in a queue, its requests get 503. They also get 503 when its oldest waiting document has used half of the time that the new one would have: of `WAIT_LIMIT_MS`, or of `DOCUMENT_DEADLINE_SECONDS` for a started job.',
  ),
  BODY_MEMORY_MB: variable(
    count(256, 32),
    'MB',
    'Memory for all request bodies of this process together; requests beyond it get 503.',
  ),
  BATCH_UPLOADS: variable(
    count(8, 1),
    'requests',
    'Batches that this process receives at a time; further ones get 503.',
  ),
  BATCH_UPLOADS_PER_ACCOUNT: variable(count(2, 1), 'requests', 'The same limit for one account.'),
  BATCH_LISTENERS: variable(
    count(500, 1),
    'requests',
    'Event streams of batches that this process serves at a time; further ones get 503.',
  ),
  BATCH_LISTENERS_PER_ACCOUNT: variable(count(20, 1), 'requests', 'The same limit for one account.'),
  KEY_CACHE_SECONDS: variable(count(5, 0, 10), 's', 'A revoked key stops working within this time; at most 10.'),
  ASSETS_PER_ACCOUNT: variable(count(200), 'assets', 'Pictures that an account may keep.'),
  FONTS_PER_ACCOUNT: variable(count(50), 'fonts', 'Fonts that an account may keep.'),
  FONT_MB_PER_ACCOUNT: variable(
    count(64, 1, 64),
    'MB',
    'Total size of the fonts that an account may keep; at most 64, the limit for one document.',
  ),
};
