import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMailAddress, parseRecipients } from '../../../src/shared/mail-address.ts';
import { toWireAddress } from '../../../src/worker/mail/envelope.ts';
import { withinMs } from '../../support/processor-time.ts';

const atext = "abcxyzABCXYZ0189!#$%&'*+/=?^_`{|}~-".split('');
const word = (max: number) => fc.string({ unit: fc.constantFrom(...atext), minLength: 1, maxLength: max });
const label = fc
  .string({ unit: fc.constantFrom(...'abcxyz0189'), minLength: 1, maxLength: 12 })
  .filter((text) => !text.startsWith('xn'));
const validAddress = fc
  .tuple(fc.array(word(8), { minLength: 1, maxLength: 4 }), fc.array(label, { minLength: 1, maxLength: 3 }))
  .map(([words, labels]) => `${words.join('.')}@${labels.join('.')}.org`);

describe('isMailAddress', () => {
  it.each([
    'a@b.co',
    'jane.doe+invoices@sub.example.com',
    "o'brien!#$%&*/=?^_`{|}~-@example.com",
    'MIXED.Case@Example.COM',
    'info@münchen.de',
    'info@xn--mnchen-3ya.de',
    'kontakt@straße.example',
    'user@例え.jp',
    '1234567890@123.example',
    `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.ch`,
  ])('accepts %s', (address) => {
    expect(isMailAddress(address)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['no at sign', 'example.com'],
    ['no local part', '@example.com'],
    ['no domain', 'jane@'],
    ['one label', 'jane@localhost'],
    ['two at signs', 'a@b@example.com'],
    ['a display name', 'Jane <jane@example.com>'],
    ['angle brackets', '<jane@example.com>'],
    ['a comment', 'jane(work)@example.com'],
    ['a quoted local part', '"jane doe"@example.com'],
    ['a quoted address before another', '"a@evil.com x"@ok.com'],
    ['a list', 'a@example.com,b@example.com'],
    ['a group', 'team: a@example.com;'],
    ['a source route', '@relay.example:jane@example.com'],
    ['a leading dot', '.jane@example.com'],
    ['a trailing dot', 'jane.@example.com'],
    ['two dots', 'jane..doe@example.com'],
    ['a space', 'jane doe@example.com'],
    ['surrounding space', ' jane@example.com'],
    ['a header', 'b@ex.org\r\nBcc: evil@x.org'],
    ['a line feed at the end', 'jane@example.com\n'],
    ['a NUL', 'jane\u0000@example.com'],
    ['a right-to-left override', 'jane\u202e@example.com'],
    ['an international local part', 'jäne@example.com'],
    ['an address literal', 'jane@[127.0.0.1]'],
    ['an IPv4 address', 'jane@127.0.0.1'],
    ['a disguised IPv4 address', 'jane@0x7f.1'],
    ['an underscore in the domain', 'jane@ex_ample.com'],
    ['a hyphen at the edge of a label', 'jane@-example.com'],
    ['a hyphen at the end of a label', 'jane@example-.com'],
    ['an empty label', 'jane@example..com'],
    ['a trailing dot in the domain', 'jane@example.com.'],
    ['percent-encoding in the domain', 'jane@ex%61mple.com'],
    ['a path after the domain', 'jane@example.com/x'],
    ['a broken A-label', 'jane@xn--a.com'],
    ['a zero-width joiner in the domain', 'jane@a\u200db.com'],
    ['a dot in other clothes', 'jane@example。com'],
    ['a symbol in the domain', 'jane@☃.net'],
    ['a label of 64 characters', `jane@${'a'.repeat(64)}.com`],
    ['a local part of 65 characters', `${'a'.repeat(65)}@example.com`],
    ['255 characters', `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(59)}.ch`],
    ['more than 254 characters once encoded', `a@${`${'ü'.repeat(30)}.`.repeat(8)}de`],
  ])('refuses %s', (_name, address) => {
    expect(isMailAddress(address)).toBe(false);
  });

  it('accepts every dot-atom at a domain name', () => {
    fc.assert(fc.property(validAddress, (address) => isMailAddress(address)));
  });

  it('accepts only addresses that are valid unquoted in an SMTP command', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })).map((parts) => parts.join('@')),
      fc.tuple(validAddress, fc.string({ unit: 'binary', maxLength: 4 }), fc.nat(30)).map(([address, dirt, at]) => {
        return address.slice(0, at) + dirt + address.slice(at);
      }),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        if (!isMailAddress(text)) return;
        const wire = toWireAddress(text);
        expect(wire).toMatch(/^[\x21-\x7e]{3,254}$/);
        expect(wire).not.toMatch(/[\s<>()[\],;:"\\]/);
        expect(wire?.split('@')).toHaveLength(2);
      }),
      { numRuns: 3_000 },
    );
  });

  it('accepts only addresses that can be sent to', () => {
    fc.assert(fc.property(validAddress, (address) => toWireAddress(address)?.toLowerCase() === address.toLowerCase()));
    expect(toWireAddress('Info@MÜNCHEN.de')).toBe('Info@xn--mnchen-3ya.de');
  });

  it.each([
    ['nested comments', '('.repeat(100_000)],
    ['dots', `${'.'.repeat(100_000)}@example.com`],
    ['letters', 'a'.repeat(1_000_000)],
    ['at signs', '@'.repeat(1_000_000)],
    ['labels', `a@${'a.'.repeat(500_000)}com`],
    ['combining marks', `a@${'e\u0301'.repeat(200_000)}.com`],
  ])('answers quickly for a megabyte of %s', (_name, text) => {
    withinMs(500, () => {
      for (let i = 0; i < 100; i++) expect(isMailAddress(text)).toBe(false);
    });
  });
});

describe('parseRecipients', () => {
  it('keeps the first occurrence of each recipient, whatever its case or spelling', () => {
    const result = parseRecipients({
      to: ['a@example.com', 'A@Example.com', 'i@münchen.de'],
      cc: ['b@example.com', 'a@example.com'],
      bcc: ['i@xn--mnchen-3ya.de', 'c@example.com', 'b@example.com'],
    });
    expect(result).toEqual({
      ok: true,
      recipients: { to: ['a@example.com', 'i@münchen.de'], cc: ['b@example.com'], bcc: ['c@example.com'] },
    });
  });

  it('accepts 50 different recipients and rejects 51', () => {
    const people = Array.from({ length: 51 }, (_, index) => `p${index}@example.com`);
    expect(parseRecipients({ to: people.slice(0, 20), cc: people.slice(20, 50), bcc: people.slice(0, 50) }).ok).toBe(
      true,
    );
    expect(parseRecipients({ to: people.slice(0, 50), bcc: people.slice(50) })).toEqual({
      ok: false,
      problems: [{ path: [], message: 'to, cc and bcc together must name at most 50 recipients' }],
    });
  });

  it('reports every invalid address by its position and never repeats it', () => {
    const result = parseRecipients({ to: ['ok@example.com', 'x\r\nBcc: y@z.org'], cc: ['nobody'], bcc: [] });
    const message = 'must be a plain e-mail address such as name@example.com';
    expect(result).toEqual({
      ok: false,
      problems: [
        { path: ['to', 1], message },
        { path: ['cc', 0], message },
      ],
    });
  });

  it('requires at least one primary recipient', () => {
    expect(parseRecipients({ to: [], cc: ['a@example.com'] })).toEqual({
      ok: false,
      problems: [{ path: ['to'], message: 'must name at least one recipient' }],
    });
  });
});
