import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMailAddress, mailAddressPattern, parseRecipients } from '../../../src/shared/mail-address.ts';
import { toWireAddress } from '../../../src/worker/mail/envelope.ts';
import { volume } from '../../support/extended.ts';

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
    'ü@exämple.com',
    'ü@example.com',
    'u\u0308@exa\u0308mple.com',
    'jürgen.groß+rechnung@xn--exmple-cua.com',
    '山田太郎@例え.jp',
    'δοκιμή@παράδειγμα.δοκιμή',
    'коля@пример.рф',
    'אבג@example.com',
    'अजय@example.com',
    '😀@example.com',
    '𠮷@𠮷.jp',
    `${'ü'.repeat(32)}@example.com`,
    `${'u\u0308'.repeat(32)}@example.com`,
    `${'😀'.repeat(16)}@example.com`,
    `${'ü'.repeat(32)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.ch`,
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
    ['a right-to-left mark in a Hebrew name', '\u05d0\u200f\u05d1@example.com'],
    ['a right-to-left isolate', 'ü\u2067x\u2069@example.com'],
    ['an Arabic letter mark', 'ü\u061c@example.com'],
    ['a zero-width space', 'ü\u200bx@example.com'],
    ['a zero-width joiner', 'ü\u200dx@example.com'],
    ['a byte order mark', '\ufeffü@example.com'],
    ['a soft hyphen', 'ü\u00adx@example.com'],
    ['a combining grapheme joiner', 'ü\u034fx@example.com'],
    ['an invisible Hangul filler', 'ü\u3164@example.com'],
    ['a variation selector', '\u2764\ufe0f@example.com'],
    ['a variation selector of another plane', 'ü\u{e0100}@example.com'],
    ['a tag character', 'ü\u{e0041}@example.com'],
    ['a private-use character', 'ü\ue000@example.com'],
    ['a private-use character of another plane', 'ü\u{f0000}@example.com'],
    ['an unassigned character', 'ü\u0378@example.com'],
    ['a noncharacter', 'ü\u{1ffff}@example.com'],
    ['a lone surrogate', 'ü\ud800@example.com'],
    ['a replacement character', 'ü\ufffd@example.com'],
    ['a control character of Latin 1', 'ü\u0085@example.com'],
    ['a no-break space', 'ü\u00a0x@example.com'],
    ['an ideographic space', '山\u3000田@example.com'],
    ['a line separator', 'ü\u2028@example.com'],
    ['a full-width at sign', 'ü＠evil.com@example.com'],
    ['a full-width dot', 'ü．x@example.com'],
    ['an ellipsis', 'ü…@example.com'],
    ['a full-width quotation mark', '＂ü＂@example.com'],
    ['a Greek question mark, which is a semicolon', 'ü\u037e@example.com'],
    ['a combining mark at the start', '\u0301a@example.com'],
    ['a combining mark after a dot', 'a.\u0301b@example.com'],
    ['a quoted UTF-8 local part', '"ü x"@example.com'],
    ['a display name before a UTF-8 address', 'Ü <ü@example.com>'],
    ['a local part of 66 octets', `${'ü'.repeat(33)}@example.com`],
    ['a local part of 65 octets', `a${'ü'.repeat(32)}@example.com`],
    ['255 octets', `${'ü'.repeat(32)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(59)}.ch`],
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
        expect(wire).toMatch(/^[^\p{C}\p{Z}]{3,254}$/u);
        expect(wire?.split('@')[1]).toMatch(/^[\x21-\x7e]+$/);
        expect(Buffer.byteLength(wire ?? '')).toBeLessThanOrEqual(254);
        expect(wire).not.toMatch(/[\s<>()[\],;:"\\]/);
        expect(wire?.split('@')).toHaveLength(2);
      }),
      { numRuns: volume(600, 5_000) },
    );
  });

  it('accepts only addresses that match the pattern of the OpenAPI document, with and without the flag u', () => {
    const patterns = [new RegExp(mailAddressPattern), new RegExp(mailAddressPattern, 'u')];
    const character = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom(...atext, '.', 'ü', 'u\u0308', '山', '😀', 'א', '\u1fef', '\u212a'),
    );
    const text = fc
      .tuple(fc.array(character, { minLength: 1, maxLength: 5 }), fc.array(character, { maxLength: 3 }))
      .map(([local, domain]) => `${local.join('')}@${domain.join('')}x.org`);
    let acceptedCount = 0;
    fc.assert(
      fc.property(text, (address) => {
        if (!isMailAddress(address)) return;
        acceptedCount += 1;
        for (const pattern of patterns) expect(address).toMatch(pattern);
        expect([...address].length).toBeLessThanOrEqual(254);
      }),
      { numRuns: volume(800, 5_000) },
    );
    expect(acceptedCount).toBeGreaterThan(20);
  });

  it('accepts only addresses to which mail can be sent', () => {
    fc.assert(fc.property(validAddress, (address) => toWireAddress(address)?.toLowerCase() === address.toLowerCase()));
    expect(toWireAddress('Info@MÜNCHEN.de')).toBe('Info@xn--mnchen-3ya.de');
    expect(toWireAddress('Ü@MÜNCHEN.de')).toBe('Ü@xn--mnchen-3ya.de');
  });

  it.each([
    ['nested comments', '('.repeat(100_000)],
    ['dots', `${'.'.repeat(100_000)}@example.com`],
    ['letters', 'a'.repeat(1_000_000)],
    ['at signs', '@'.repeat(1_000_000)],
    ['labels', `a@${'a.'.repeat(500_000)}com`],
    ['combining marks', `a@${'e\u0301'.repeat(200_000)}.com`],
    ['umlauts', `${'ü'.repeat(500_000)}@example.com`],
    ['emoji and dots', `${'😀.'.repeat(200_000)}@example.com`],
  ])('decides about a megabyte of %s in a bounded time', (_name, text) => {
    for (let i = 0; i < 100; i++) expect(isMailAddress(text)).toBe(false);
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

  it('normalizes addresses to NFC, and finds duplicates in that form', () => {
    const decomposed = 'u\u0308@exa\u0308mple.com';
    expect(
      parseRecipients({ to: [decomposed], cc: ['Ü@EXÄMPLE.com'], bcc: ['ü@xn--exmple-cua.com', 'u@exämple.com'] }),
    ).toEqual({
      ok: true,
      recipients: { to: ['\u00fc@ex\u00e4mple.com'], cc: [], bcc: ['u@exämple.com'] },
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
