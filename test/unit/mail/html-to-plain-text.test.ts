import { describe, expect, it } from 'vitest';
import { htmlToPlainText, isHtml } from '../../../src/worker/mail/html-to-plain-text.ts';

describe('isHtml', () => {
  it.each([
    '<!DOCTYPE html><html><body>Hi</body></html>',
    '\n  <html lang="en">',
    '<p>Hello',
    '<!-- template 3 --><table><tr><td>x</td></tr></table>',
    'Hello <b>Jane</b>',
    'Hello,<br>here it is',
    'Hello,<BR />here it is',
    '<div style="color: red">Hi</div >',
    '<img src="https://example.com/a.png">',
  ])('treats %j as HTML', (body) => {
    expect(isHtml(body)).toBe(true);
  });

  it.each([
    '',
    'Hello Jane,\n\nhere it is.',
    'if a < b and c > d then stop',
    'write to <jane@example.com> or see <https://example.com/a>',
    'a List<String> and a Map<K, V>',
    '<Jane> is my name',
    '1 <br 2',
    'x <- 3; y </ 4',
    '<abbreviation>',
    '&lt;p&gt;',
  ])('treats %j as text', (body) => {
    expect(isHtml(body)).toBe(false);
  });

  it.each(['<'.repeat(2_000_000), '<p '.repeat(600_000), '</p '.repeat(500_000), `<p${' '.repeat(2_000_000)}`])(
    'classifies megabytes of unclosed tags in a bounded time',
    (body) => {
      expect(typeof isHtml(body)).toBe('boolean');
    },
  );
});

describe('htmlToPlainText', () => {
  it('keeps paragraphs, lists and link addresses, and omits images, styles and scripts', () => {
    const text = htmlToPlainText(`<style>p{color:red}</style><script>alert(1)</script>
      <p>Dear &Auml;nne,</p><ul><li>one</li><li>two</li></ul>
      <p>See <a href="https://example.com/x">the page</a>.<img src="cid:logo" alt="logo"></p>`);
    expect(text).toContain('Dear Änne,');
    expect(text).toMatch(/\* one\n\s*\* two/);
    expect(text).toContain('the page [https://example.com/x]');
    expect(text).not.toMatch(/alert|color|cid:|logo/);
  });

  it('returns a fixed text when nothing is left', () => {
    expect(htmlToPlainText('<img src="https://example.com/a.png">')).toMatch(/HTML/);
  });

  it.each([
    '<div>'.repeat(400_000),
    '<b>'.repeat(600_000),
    '<table><tr><td>'.repeat(100_000),
    '<a href="'.repeat(300_000),
  ])('accepts hostile nesting', (html) => {
    expect(htmlToPlainText(html).length).toBeLessThan(300_000);
  });
});
