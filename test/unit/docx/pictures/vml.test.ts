import { readRelationships } from '@docmill/word/relationships';
import { describe, expect, it } from 'vitest';
import { type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';
import { inspect, problems, render } from '../render/fill.ts';
import { base64, jpeg, pictureRun, placeholderParts, png, vmlPictureRun } from './samples.ts';
import { shown } from './shown.ts';

const type = '<v:shapetype id="_x0000_t75" coordsize="21600,21600" o:spt="75"><v:path/></v:shapetype>';
const wide = png({ width: 40, height: 20 });
const square = png({ width: 50, height: 50, grey: 10 });

function template(...runs: string[]): DocxInput {
  return { ...placeholderParts, body: `<w:p>${runs.join('')}</w:p>` };
}

interface VmlPicture {
  readonly style: string;
  readonly alt: string;
  readonly imagedata: string;
  readonly bytes: Buffer | undefined;
}

function vml(input: DocxInput, data: unknown): VmlPicture[] {
  const { docx, xml, part } = render(input, data);
  const relationships = readRelationships(part('word/_rels/document.xml.rels'));
  return (xml.match(/<v:shape .*?<\/v:shape>/gs) ?? []).map((shape) => {
    const found = (pattern: RegExp) => pattern.exec(shape)?.[1] ?? '';
    const imagedata = found(/(<v:imagedata.*\/>)/);
    const id = /r:id="([^"]*)"/.exec(imagedata)?.[1];
    const target = relationships.find((relationship) => relationship.id === id)?.target ?? '';
    const bytes = docx.read(`word/${target}`);
    return { style: found(/style="([^"]*)"/), alt: found(/alt="([^"]*)"/), imagedata, bytes };
  });
}

describe('a placeholder picture in VML', () => {
  it('is a tag of the template', () => {
    const report = inspect(template(vmlPictureRun({ alt: '{%logo}' })));
    expect(report.tags).toEqual(['logo']);
    expect(report.warnings).toEqual([]);
  });

  it('is replaced within its box, and nothing remains of the old picture', async () => {
    const input = template(vmlPictureRun({ alt: '{%p}', before: type }));
    const data = { p: { data: base64(square), alt: 'A "square"' } };
    const [picture] = vml(input, data);
    const expected = { style: 'width:70.85pt;height:70.85pt', alt: 'A &quot;square&quot;', bytes: square };
    expect(picture).toMatchObject(expected);
    expect(picture?.imagedata).not.toMatch(/crop|rIdPicture|old/);
    expect(await problems(input, data)).toEqual([]);
  });

  it.each([
    ['width:5cm;height:2.5cm', base64(square), 'width:70.87pt;height:70.87pt'],
    ['width:2in;height:1in', base64(wide), 'width:144pt;height:72pt'],
    ['WIDTH : 100 ; height:50', base64(wide), 'width:75pt;height:37.5pt'],
    ['width:100pt;height:50pt', { data: base64(square), width: '1in' }, 'width:72pt;height:72pt'],
    ['width:100pt;height:50pt', { data: base64(square), fit: 'stretch' }, 'width:100pt;height:50pt'],
    [
      'position:absolute;margin-left:10pt;margin-top:20pt;width:100pt;height:50pt;z-index:3',
      base64(square),
      'position:absolute;margin-left:35pt;margin-top:20pt;width:50pt;height:50pt;z-index:3',
    ],
    ['width:100pt;height:50pt;mso-width-percent:400', base64(wide), 'width:100pt;height:50pt'],
  ])('keeps its box with the style %s', (style, p, expected) => {
    expect(vml(template(vmlPictureRun({ alt: '{%p}', style })), { p })).toMatchObject([{ style: expected }]);
  });

  it('is cropped to cover its box', () => {
    const [picture] = vml(template(vmlPictureRun({ alt: '{%p}' })), { p: { data: base64(square), fit: 'cover' } });
    expect(picture?.imagedata).toContain('cropleft="0f" cropright="0f" croptop="16390f" cropbottom="16390f"');
  });

  it.each([
    ['width:80pt;height:80pt', 6, 'width:80pt;height:40pt;rotation:90'],
    ['width:80pt;height:80pt;rotation:-90', 6, 'width:80pt;height:40pt;rotation:0'],
    ['width:80pt;height:80pt;rotation:5898240fd', 8, 'width:80pt;height:40pt;rotation:0'],
    ['width:80pt;height:80pt;flip:x', 6, 'width:80pt;height:40pt;flip:x;rotation:270'],
    ['width:80pt;height:80pt', 3, 'width:80pt;height:40pt;rotation:180'],
  ])('rotates a photo to fit, for the style %s and orientation %i', (style, orientation, expected) => {
    const found = vml(template(vmlPictureRun({ alt: '{%p}', style })), { p: base64(jpeg({ orientation })) });
    const declarations = (text: string) => text.split(';').sort();
    expect(found.map((picture) => declarations(picture.style))).toEqual([declarations(expected)]);
  });

  it('becomes a drawing for a mirrored photo, because some readers cannot mirror in VML', () => {
    const [input, data] = [template(vmlPictureRun({ alt: '{%p}' })), { p: base64(jpeg({ orientation: 5 })) }];
    expect(vml(input, data)).toEqual([]);
    expect(shown(input, data)).toHaveLength(1);
  });

  it('is removed without a picture, but keeps the shape type that others refer to', async () => {
    const input = template(vmlPictureRun({ alt: '{%p}', before: type }), vmlPictureRun({ alt: 'static' }));
    expect(vml(input, { p: null })).toMatchObject([{ alt: 'static' }]);
    expect(render(input, { p: null }).xml).toContain('<v:shapetype id="_x0000_t75"');
    expect(await problems(input, { p: null })).toEqual([]);
  });

  it('is repeated by sections', async () => {
    const body = paragraph('{#rows}') + template(vmlPictureRun({ alt: '{%p}', before: type })).body + paragraph('{/}');
    const input = { ...placeholderParts, body };
    const data = { rows: [{ p: base64(wide) }, { p: base64(square) }, { p: null }] };
    expect(vml(input, data).map(({ bytes }) => bytes)).toEqual([wide, square]);
    expect(await problems(input, data)).toEqual([]);
  });

  it.each([
    [
      'a group',
      (run: string) => run.replace('<v:shape ', '<v:group><v:shape ').replace('</v:shape>', '</v:shape></v:group>'),
    ],
    ['a shape without a picture', (run: string) => run.replace(/<v:imagedata.*?\/>/, '')],
    ['a picture without a size', (run: string) => run.replace(/width:[\d.]*pt/, 'width:auto')],
  ])('is not supported in %s, and the upload says so', (_, change) => {
    const input = template(change(vmlPictureRun({ alt: '{%p}' })));
    const report = inspect({ ...input, body: input.body + paragraph('{name}') });
    expect(report.tags).toEqual(['name']);
    expect(report.warnings).toMatchObject([{ code: 'tag_not_filled', message: expect.stringContaining('{%p}') }]);
  });
});

it('shows the same picture in DrawingML and in VML', async () => {
  const drawing = pictureRun({ alt: '{%p}' }).replace(/^<w:r>|<\/w:r>$/g, '');
  const pict = vmlPictureRun({ alt: '{%p}' }).replace(/^<w:r>|<\/w:r>$/g, '');
  const both =
    '<w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">' +
    `<mc:Choice Requires="wps">${drawing}</mc:Choice><mc:Fallback>${pict}</mc:Fallback></mc:AlternateContent></w:r>`;
  const input = template(both);
  const data = { p: base64(square) };
  expect(shown(input, data).map(({ bytes }) => bytes)).toEqual([square]);
  expect(vml(input, data).map(({ bytes }) => bytes)).toEqual([square]);
  expect(await problems(input, data)).toEqual([]);
  expect(render(input, { p: null }).xml).not.toMatch(/w:drawing|w:pict/);
});
