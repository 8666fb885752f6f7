import { readAttributes, scanXml, scanXmlTags, tagName, textContent } from '@docmill/word/xml-tokens';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { volume } from '../../../support/extended.ts';
import { always } from '../../../support/properties.ts';

type Event = readonly [kind: string, name: string, attributes?: readonly (readonly [string, string])[]];

/** The events of our scanner. Adjacent text and CDATA become one event. */
function scanned(xml: string): Event[] {
  const events: Event[] = [];
  scanXml(
    xml,
    (tag) => {
      const name = tagName(xml, tag);
      expect(tag.local).toBe(name.slice(name.indexOf(':') + 1));
      if (tag.kind !== 'close') {
        const attributes = readAttributes(xml, tag);
        for (const { name: attribute, start, end, valueStart } of attributes) {
          expect(xml.startsWith(attribute, start)).toBe(true);
          expect(xml[valueStart - 1]).toBe(xml[end - 1]);
        }
        events.push(['open', name, attributes.map((attribute) => [attribute.name, attribute.value] as const)]);
      }
      if (tag.kind !== 'open') events.push(['close', name]);
    },
    ({ kind, start, end }) => {
      const source = xml.slice(start, end);
      if (kind === 'text' || kind === 'cdata') addText(events, textContent(source));
      else events.push([kind, source]);
    },
  );
  return events;
}

/** The same events from the parser that checks every part of an upload. */
function parsed(xml: string): Event[] {
  const events: Event[] = [];
  const parser = new SaxesParser({ position: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    events.push(['open', name, Object.entries(attributes).map(([key, value]) => [key, String(value)] as const)]);
  });
  parser.on('closetag', ({ name }) => {
    events.push(['close', name]);
  });
  parser.on('text', (text) => addText(events, text));
  parser.on('cdata', (text) => addText(events, text));
  parser.on('comment', (text) => {
    events.push(['comment', `<!--${text}-->`]);
  });
  parser.on('processinginstruction', ({ target, body }) => {
    events.push(['instruction', `<?${target} ${body}?>`]);
  });
  parser.on('doctype', (text) => {
    events.push(['doctype', `<!DOCTYPE${text}>`]);
  });
  parser.write(xml).close();
  return events;
}

function addText(events: Event[], text: string): void {
  if (text === '') return;
  const last = events.at(-1);
  if (last?.[0] === 'text') events[events.length - 1] = ['text', last[1] + text];
  else events.push(['text', text]);
}

const name = fc.stringMatching(/^(?:[a-z]{1,2}:)?[A-Za-z_][\w.-]{0,8}$/);
const blank = fc.constantFrom(' ', '\n', '\t', '  ');
const piece = fc.constantFrom(
  ...['a', 'url(', '=', '/', '/>', '>', "'", '"', '-', ']', '?', '&amp;', '&#x3c;', '&#60;', '&quot;', 'é', '🙂', '!'],
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('').replaceAll(']]>', ']]&gt;'));
/** Adjacent strings must not make `]]>` together, either. */
const textAfterText = text.map((content) => content.replace(/^\]*>/, (start) => start.replace('>', '&gt;')));
const comment = text.map((content) => `<!--${content.replace(/-/g, '').concat('<w:instrText>')}-->`);
const cdata = text.map((content) => `<![CDATA[<w:t>${content.replaceAll(']]>', '')}]]>`);
const instruction = text.map((content) => `<?pi <${content.replaceAll('?>', '')}.?>`);
const attributes = fc
  .uniqueArray(fc.tuple(name, text, fc.constantFrom('"', "'"), blank, fc.constantFrom('=', ' = ', '=\n')), {
    selector: ([attribute]) => attribute,
    maxLength: 4,
  })
  .map((all) =>
    all
      .map(([attribute, value, quote, before, equals]) => {
        return `${before}${attribute}${equals}${quote}${value.replaceAll(quote, '.')}${quote}`;
      })
      .join(''),
  );

const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
  element: fc
    .tuple(name, attributes, fc.constantFrom('', ' ', '\n'), fc.option(tie('content')))
    .map(([tag, inside, end, content]) =>
      content === null ? `<${tag}${inside}${end}/>` : `<${tag}${inside}${end}>${content}</${tag}${end}>`,
    ),
  content: fc
    .array(fc.oneof({ maxDepth: 4 }, textAfterText, comment, cdata, instruction, tie('element')), { maxLength: 5 })
    .map((all) => all.join('')),
}));

describe('the XML scanner', () => {
  it('reads any well-formed document as a conforming parser does', () => {
    always(volume(300, 2_500), [element, fc.constantFrom('', '<!DOCTYPE a>', '<!-- <a> -->')], (root, before) => {
      const xml = `${before}${root}`;
      expect(scanned(xml)).toEqual(parsed(xml));
    });
  });

  it('covers the whole text: tags and the text between them follow each other without gaps', () => {
    always(100, [element], (xml) => {
      let end = 0;
      const advance = (token: { readonly start: number; readonly end: number }) => {
        expect(token.start).toBe(end);
        end = token.end;
      };
      scanXml(xml, advance, advance);
      expect(end).toBe(xml.length);
    });
  });

  it('a comment ends at its first "-->" after "<!--", not at "<!-->"', () => {
    const tags: string[] = [];
    const xml = '<a><!--> <b/> --><c/></a>';
    scanXmlTags(xml, (tag) => tags.push(tagName(xml, tag)));
    expect(tags).toEqual(['a', 'c', 'a']);
  });

  it.each(['<a b="', '<a <b/>', '<a><!-- <b/>', '<a><![CDATA[ <b/>', '<a><? <b/>', '<a b', '<'])(
    'stops in %s',
    (xml) => {
      const seen: string[] = [];
      scanXmlTags(xml, (tag) => seen.push(tag.local));
      expect(seen.filter((tag) => tag !== 'a')).toEqual([]);
    },
  );

  it('reads any string to its end', () => {
    for (const unit of ['<a ', '<a b="', '<!--', '<![CDATA[', '<?', '&', '<a>"', "<a b='c'/>"]) {
      const xml = `<x>${unit.repeat(200_000)}`;
      scanXmlTags(xml, (tag) => readAttributes(xml, tag));
      expect(typeof textContent(xml)).toBe('string');
    }
  });
});
