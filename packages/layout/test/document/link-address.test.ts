import { expect, test } from 'vitest';
import { printedAddress } from '../../src/document/link-address.ts';

// Each expected address is that of LibreOffice 25.2.
test.each([
  ['https://example.com', 'https://example.com/'],
  ['http://example.com:8080?a=b', 'http://example.com:8080/?a=b'],
  ['HTTPS://Example.com/A#b', 'https://Example.com/A#b'],
  ['https://example.com/a b/ü', 'https://example.com/a%20b/%C3%BC'],
  ['https://example.com/[a]|"<>', 'https://example.com/%5Ba%5D%7C%22%3C%3E'],
  ['https://example.com/?a=[b]{c}', 'https://example.com/?a=[b]%7Bc%7D'],
  ['https://example.com/%2f%41%7e%zz%', 'https://example.com/%2FA~%25zz%25'],
  ['https://example.com/a#b#c', 'https://example.com/a#b%23c'],
  ['ftp://example.com', 'ftp://example.com/'],
  ['file:///C:/a b.pdf', 'file:///C:/a%20b.pdf'],
  ['MAILTO:Ada <ada@example.com>?subject=a b', 'mailto:Ada%20%3Cada@example.com%3E?subject=a%20b'],
  ['mailto:a&b=c@example.com', 'mailto:a%26b%3Dc@example.com'],
  ['tel:+49 12', 'tel:+49%2012'],
])('the address %s is printed as %s', (address, printed) => {
  expect(printedAddress(address)).toBe(printed);
});

test.each([
  ['www.example.com', 'that is not a plain address'],
  ['../report.docx', 'that is not a plain address'],
  ['#top', 'that is not a plain address'],
  ['javascript:alert(1)', 'that is not a plain address'],
  ['file:///C|/a', 'that is not a plain address'],
  ['ftp://example.com/a?b', 'that is not a plain address'],
  ['https://exämple.com/', 'with an account or an international name'],
  ['https://ada:secret@example.com/', 'with an account or an international name'],
  ['https://example.com/a/../b', 'with dots in its path'],
])('a link to %s is left to LibreOffice: a link %s', (address, reason) => {
  expect(() => printedAddress(address)).toThrow(`a link ${reason}`);
});
