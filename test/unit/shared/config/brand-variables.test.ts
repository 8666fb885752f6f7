import { describe, expect, it } from 'vitest';
import { loadApiConfig, loadWorkerConfig } from '../../../../src/shared/config/load-config.ts';
import { required } from './required-variables.ts';

describe('the brand', () => {
  const accent = (BRAND_ACCENT: string) => loadApiConfig({ ...required, BRAND_ACCENT }).BRAND_ACCENT;

  it.each([
    ['#0A7D55', '#0a7d55'],
    ['#fa0', '#ffaa00'],
    ['rgb(10, 125, 85)', '#0a7d55'],
    ['teal', '#008080'],
  ])('has the accent %s', (value, colour) => expect(accent(value)).toBe(colour));

  it.each(['greenish', '#12', '#0a7d5580', 'transparent', 'url(a)'])('refuses the accent %s', (value) => {
    expect(() => accent(value)).toThrow(/BRAND_ACCENT: must be an opaque colour, such as #0a7d55/);
  });

  it.each(['a\nb', 'a\u202eb', 'x'.repeat(41), ' '])('refuses the name %j', (BRAND_NAME) => {
    expect(() => loadApiConfig({ ...required, BRAND_NAME })).toThrow(/BRAND_NAME/);
  });

  it('refuses a help page that could run a script', () => {
    expect(() => loadApiConfig({ ...required, BRAND_HELP_URL: 'javascript:alert(1)' })).toThrow(
      /BRAND_HELP_URL: must be a URL starting with http:\/\/ or https:\/\//,
    );
  });

  it('names the sender of e-mails unless there is one', () => {
    const sender = (variables: Record<string, string>) => loadWorkerConfig({ ...required, ...variables }).MAIL_FROM;
    expect(sender({})).toBe('"Docmill" <documents@localhost>');
    expect(sender({ BRAND_NAME: 'Acme "A", Inc.' })).toBe('"Acme \\"A\\", Inc." <documents@localhost>');
    expect(sender({ BRAND_NAME: 'Acme', MAIL_FROM: 'a@b.example' })).toBe('a@b.example');
  });
});
