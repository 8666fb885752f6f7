import { describe, expect, it } from 'vitest';
import { defaultText } from '../../../src/worker/mail/default-text.ts';

describe('the default text of a message', () => {
  it.each([
    [undefined, 'Your document: a.pdf', 'Hello,'],
    ['en-GB', 'Your document: a.pdf', 'Hello,'],
    ['de-AT', 'Ihr Dokument: a.pdf', 'Guten Tag,'],
    ['nn', 'Your document: a.pdf', 'Hello,'],
    ['no', 'Dokumentet ditt: a.pdf', 'Hei,'],
    ['ja-JP', 'Your document: a.pdf', 'Hello,'],
  ])('is written in the language %s', (locale, subject, greeting) => {
    const text = defaultText('a.pdf', locale);
    expect(text.subject).toBe(subject);
    expect(text.body.split('\n')[0]).toBe(greeting);
  });

  it('ends with the name and the help page of the operator', () => {
    const sender = { name: 'Acme', helpUrl: 'https://help.example.com/' };
    expect(defaultText('a.pdf', 'de', sender).body).toMatch(
      /\n\nMit freundlichen Grüßen\nAcme\nhttps:\/\/help\.example\.com\/\n$/,
    );
  });

  it('names the file once in subject and body, whatever its name', () => {
    const name = '$& %s\r\nBcc: x.pdf';
    for (const locale of 'cs da de el en es fi fr hu it nb nl pl pt ro sv tr uk'.split(' ')) {
      const { subject, body } = defaultText(name, locale);
      expect(subject, locale).not.toMatch(/[\r\n]/);
      expect(subject.split('$& %s'), locale).toHaveLength(2);
      expect(body.split('$& %s'), locale).toHaveLength(2);
      expect(body.split('\n'), locale).toHaveLength(6);
    }
  });
});
