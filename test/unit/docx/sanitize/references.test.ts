import { describe, expect, it } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { overlayPackage } from '../../../../src/worker/docx/package/overlay-package.ts';
import { sanitizePackage } from '../../../../src/worker/docx/sanitize/sanitize-package.ts';
import { buildDocx, run } from '../../../support/documents/docx-builder.ts';
import { clean, external, picture, secret } from './clean.ts';

describe('a relationship is checked whatever its type', () => {
  it.each(['r:link="rX"', 'r:embed="rX"', "r:link = 'r&#88;'"])(
    'a picture whose relationship is a hyperlink: %s',
    (attribute) => {
      const { codes, body } = clean({
        body: picture(attribute),
        rels: external('hyperlink', 'https://example.com/a.png'),
      });
      expect(codes).toEqual(['linked_picture']);
      expect(body).toMatch(/<a:blip\s*\/>/);
    },
  );

  it('a namespace written with character references', () => {
    const body =
      '<x:blip xmlns:x="u" xmlns:y="http://schemas.openxmlformats.org/officeDocument/2006/&#114;elationships" y:link="rX"/>';
    expect(clean({ body, rels: external('hyperlink', 'https://example.com') }).body).not.toContain('y:link');
  });

  it.each([
    '<o:OLEObject r:id="rX"/>',
    '<w:altChunk r:id="rX"/>',
    '<w:control r:id="rX"/>',
    '<w:embedBold r:id="rX"/>',
  ])('%s with the type of a picture', (xml) => {
    const { codes, body } = clean({
      body: `<w:p>${xml}</w:p>`,
      rels: [{ id: 'rX', type: 'image', target: 'media/a.png' }],
    });
    expect(codes).toHaveLength(1);
    expect(body).not.toContain('rX');
  });
});

describe('parts that are known to be clean', () => {
  const link = `<w:p><w:hyperlink r:id="rX">${run('web')}</w:hyperlink></w:p>`;
  const source = openPackage(
    buildDocx({ body: link, headers: [picture('r:link="rX"')], rels: external('hyperlink', 'https://example.com') }),
  );
  const cleanParts = new Set(source.partNames.filter((name) => name !== 'word/document.xml'));

  it('are not read again', () => {
    const others = {
      ...source,
      readText: (name: string) => (name.includes('document.xml') ? source.readText(name) : expect.fail(name)),
    };
    expect(sanitizePackage(others, { cleanParts })).toEqual({ changes: new Map(), warnings: [] });
  });

  it('a changed part is checked together with its relationships', () => {
    const body =
      source.readText('word/document.xml')?.replace('<w:hyperlink r:id', '<a:blip r:link="rX"/><w:hyperlink r:id') ??
      '';
    const changed = overlayPackage(source, new Map([['word/document.xml', Buffer.from(body)]]));
    const { changes, warnings } = sanitizePackage(changed, { cleanParts });
    expect(warnings.map(({ code }) => code)).toEqual(['linked_picture']);
    expect(changes.get('word/document.xml')?.toString()).toContain('<a:blip /><w:hyperlink r:id="rX">');
  });

  it('an added picture is checked together with the relationships that refer to it', () => {
    const parts = { 'word/media/a.png': 'x' };
    const rels = [{ id: 'rP', type: 'image', target: 'media/a.png' }];
    const template = openPackage(buildDocx({ body: picture('r:embed="rP"'), parts, rels }));
    const svg = `<svg xmlns="http://www.w3.org/2000/svg"><image href="${secret}"/></svg>`;
    const changed = overlayPackage(template, new Map([['word/media/a.png', Buffer.from(svg)]]));
    const others = new Set(template.partNames.filter((name) => name !== 'word/media/a.png'));
    const { changes, warnings } = sanitizePackage(changed, { cleanParts: others });
    expect(warnings.map(({ code }) => code)).toEqual(['unsafe_picture']);
    expect([...changes.keys()].sort()).toEqual([
      'word/_rels/document.xml.rels',
      'word/document.xml',
      'word/media/a.png',
    ]);
  });
});
