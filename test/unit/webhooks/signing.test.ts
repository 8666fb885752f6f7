import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { createSecretBox, newSigningSecret } from '../../../src/shared/domain/webhooks/secret-box.ts';
import { signedHeaders } from '../../../src/worker/webhooks/sign.ts';

const content = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1_614_265_330, body: '{"test": 2432232314}' };

it("the signature is the one in the specification's example", () => {
  expect(signedHeaders(content, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toEqual({
    'webhook-id': content.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it("the signature of any text is the same as from the specification's library", () => {
  const secret = newSigningSecret();
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const body = '{"a":"ü😀\\u0000"}';
  const headers = signedHeaders({ id: 'evt_1', timestampSeconds, body }, [newSigningSecret(), secret]);
  expect(new Webhook(secret).verify(body, headers)).toEqual({ a: 'ü😀\0' });
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
});

it('a sealed secret opens only with its key and for its row, and is never the same twice', () => {
  const [key, other] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];
  const secret = newSigningSecret();
  const box = createSecretBox([key]);
  const sealed = box.seal(secret, 'whk_1');
  expect(sealed).not.toBe(box.seal(secret, 'whk_1'));
  expect(box.open(sealed, 'whk_1')).toBe(secret);
  expect(() => box.open(sealed, 'whk_2')).toThrow();
  expect(() => createSecretBox([other]).open(sealed, 'whk_1')).toThrow();
  expect(() => createSecretBox([]).open(sealed, 'whk_1')).toThrow(/WEBHOOK_SECRET_KEY/);
  const broken = `${sealed.slice(0, -4)}AAA=`;
  expect(() => box.open(broken, 'whk_1')).toThrow();
});

it('a secret stored before a key was set stays readable', () => {
  const secret = newSigningSecret();
  expect(createSecretBox([Buffer.alloc(32, 1).toString('base64')]).open(secret, 'whk_1')).toBe(secret);
  expect(createSecretBox([]).seal(secret, 'whk_1')).toBe(secret);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

it('the first of several keys seals, and all of them open secrets, in any order', () => {
  const [first = '', second = '', third = ''] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  const secret = newSigningSecret();
  const sealed = createSecretBox([first]).seal(secret, 'whk_1');
  const both = createSecretBox([second, first]);
  expect(both.open(sealed, 'whk_1')).toBe(secret);
  expect(both.isCurrent(sealed)).toBe(false);
  const resealed = both.seal(secret, 'whk_1');
  expect(both.isCurrent(resealed)).toBe(true);
  expect(createSecretBox([third, second]).open(resealed, 'whk_1')).toBe(secret);
  expect(() => createSecretBox([first]).open(resealed, 'whk_1')).toThrow(`lacks the key ${both.keyIds[0]}`);
  expect(both.isCurrent(secret)).toBe(false);
});

it('a sealed secret identifies its key without revealing a part of it', () => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, i) => i * 7));
  const { keyIds, seal } = createSecretBox([key.toString('base64')]);
  expect(keyIds).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/)]);
  expect(seal('x', 'whk_1')).toMatch(new RegExp(`^sealed\\.${keyIds[0]}\\.`));
  for (let at = 0; at + 3 <= 32; at++) expect(keyIds[0]).not.toContain(key.subarray(at, at + 3).toString('hex'));
});
