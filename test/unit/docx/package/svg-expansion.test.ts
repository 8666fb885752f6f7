import { beforeAll, describe, expect, it } from 'vitest';
import { loadSvgEngine } from '../../../../src/worker/docx/core/pictures/svg-engine.ts';
import { inspectPicture } from '../../../../src/worker/docx/inspect/inspect-picture.ts';
import { inspectTemplate } from '../../../../src/worker/docx/inspect/inspect-template.ts';
import { prepareTemplate } from '../../../../src/worker/docx/render-template.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { refusalsOf } from './refusal-of.ts';

beforeAll(loadSvgEngine);

const levels = (count: number, reference: (id: string) => string) =>
  Array.from({ length: count }, (_, i) => `<g id="l${i + 1}">${reference(`l${i}`).repeat(10)}</g>`).join('');
const leaf = '<rect id="l0" width="1" height="1"/>';
const svg = (inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">${inner}</svg>`;
const template = (picture: string, name = 'word/media/s.svg') =>
  buildDocx({
    body: paragraph('{n}'),
    parts: { [name]: picture },
    rels: [{ id: 'rS', type: 'image', target: `/${name}` }],
    contentTypes: { svg: 'image/svg+xml' },
  });

const each = (write: (i: number) => string) => Array.from({ length: 9 }, (_, i) => write(i)).join('');
const patterns = (fill: (i: number) => string) =>
  leaf + each((i) => `<pattern id="l${i + 1}">${`<rect ${fill(i)}/>`.repeat(10)}</pattern>`);
const rules = each((i) => ` .c${i + 1}, unknown { fill: url(#l${i}) }`);

const bombs: readonly (readonly [string, string])[] = [
  ['ten levels of uses', leaf + levels(10, (id) => `<use href="#${id}"/>`)],
  ['uses with a prefix', leaf + levels(10, (id) => `<use xlink:href=" #${id}"/>`)],
  ['uses across', `${levels(6, (id) => `<use href="#${id}"/>`)}<use href="#l6"/>${leaf}`],
  ['patterns', patterns((i) => `fill="url(#l${i})"`)],
  ['masks', leaf + levels(9, (id) => `<rect mask="url('#${id}')"/>`)],
  ['clips in styles', leaf + levels(9, (id) => `<rect style="clip-path: url( #${id} )"/>`)],
  ['markers', leaf + levels(9, (id) => `<path marker-mid="url(#${id})"/>`)],
  ['filters', leaf + levels(9, (id) => `<g filter="url(#${id})"/>`)],
  ['a style sheet', `<style><![CDATA[${rules}]]></style>${patterns((i) => `class="x c${i + 1}"`)}`],
  ['a picture in itself', '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'],
];

describe('an SVG whose references multiply what is drawn', () => {
  it.each(bombs)('is refused at upload under any name, and in the data: %s', (_name, inner) => {
    expect(refusalsOf(template(svg(inner)))).toEqual([
      { part: 'word/media/s.svg', message: expect.stringMatching(/^The picture is an SVG that/) },
    ]);
    expect(() => inspectTemplate(template(svg(inner), 'word/media/s.png'))).toThrow('Template validation errors');
    expect(() => inspectPicture(Buffer.from(svg(inner)))).toThrow('is an SVG');
  });

  it.each(bombs)('does not reach the converter: %s', (_name, inner) => {
    const { source, warnings } = prepareTemplate(template(svg(inner)), 'pdf');
    expect(source.partNames).not.toContain('word/media/s.svg');
    expect(warnings.map(({ code }) => code)).toContain('unsafe_picture');
  });

  it('is found even among thousands of rules, patterns and elements', () => {
    const rules = Array.from({ length: 3_000 }, (_, i) => `* { fill: url(#p${i}) }`).join('');
    const patterns = Array.from({ length: 3_000 }, (_, i) => `<pattern id="p${i}"/>`).join('');
    expect(() =>
      inspectTemplate(template(svg(`<style>${rules}</style>${patterns}${'<g/>'.repeat(50_000)}`))),
    ).toThrow();
  });
});

it.each([
  ['symbols that are used often', `<symbol id="s"><path d="M0 0h1"/></symbol>${'<use href="#s"/>'.repeat(5_000)}`],
  [
    'a gradient of many elements',
    `<linearGradient id="g">${'<stop/>'.repeat(50)}</linearGradient>${'<rect fill="url(#g)"/>'.repeat(5_000)}`,
  ],
  ['many elements', '<rect/>'.repeat(101_000)],
  ['missing targets', '<use href="#none"/><rect fill="url(#none)"/>'],
])('a harmless SVG stays: %s', (_name, inner) => {
  expect(inspectTemplate(template(svg(inner))).tags).toEqual(['n']);
  expect(prepareTemplate(template(svg(inner)), 'pdf').source.partNames).toContain('word/media/s.svg');
});

describe('an SVG that takes long only in LibreOffice', () => {
  const inUserSpace = 'patternUnits="userSpaceOnUse"';
  const pattern = (attributes: string) =>
    `<pattern id="p" ${attributes}><rect/></pattern><rect width="100" height="100" fill="url(#p)"/>`;

  it.each([
    ['tiny tiles', pattern(`${inUserSpace} width="0.1" height="0.1"`)],
    [
      'tiles that a transform makes tiny',
      pattern(`${inUserSpace} width="9" height="9" patternTransform="scale(.001)"`),
    ],
    ['tiny parts of a shape', pattern('width="0.1%" height="0.001"')],
    ['repeated gradients', '<linearGradient id="g" spreadMethod="repeat" x2="0.0001"/>'],
    ['long text on a path', `<text><textPath href="#t">${'ab '.repeat(2_000)}</textPath></text>`],
    ['a very long path', `<path d="M0 0${'h1v1h-1'.repeat(200_000)}"/>`],
  ])('is accepted, and left out of PDFs: %s', (_name, inner) => {
    expect(inspectTemplate(template(svg(inner))).tags).toEqual(['n']);
    expect(prepareTemplate(template(svg(inner)), 'pdf').source.partNames).not.toContain('word/media/s.svg');
  });

  it('stays if it has only a plain pattern', () => {
    const inner = pattern(`${inUserSpace} width="4" height="4"`);
    expect(prepareTemplate(template(svg(inner)), 'pdf').source.partNames).toContain('word/media/s.svg');
  });
});
