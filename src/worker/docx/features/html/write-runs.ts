import { writeValue } from '../../core/render/write-value.ts';
import type { PropertyList } from '../../core/styles/property-list.ts';
import type { Inline, TextFormat } from './blocks.ts';
import { formatRun, linkRun } from './run-properties.ts';

export interface LinkWriter {
  /** The opening tag of a link to `url`; undefined where none can stand. */
  open(url: string): string | undefined;
  /** The character style of links, asked for when one is written. */
  styleId(): string | undefined;
}

export const linkEnd = '</w:hyperlink>';

/** The runs of a paragraph; neighbours with one address share a link. */
export function writeRuns(content: readonly Inline[], base: PropertyList, links: LinkWriter): string {
  const pieces: string[] = [];
  let address: string | undefined;
  let isLinked = false;
  for (const inline of content) {
    const link = inline.kind === 'break' ? address : inline.link;
    if (link !== address) {
      if (isLinked) pieces.push(linkEnd);
      const open = link === undefined ? undefined : links.open(link);
      isLinked = open !== undefined;
      if (open !== undefined) pieces.push(open);
      address = link;
    }
    if (inline.kind === 'break') pieces.push(`<w:r>${base.toXml()}<w:br/></w:r>`);
    else pieces.push(textRun(inline.text, inline.format, isLinked ? linkRun(base, links.styleId()) : base));
  }
  if (isLinked) pieces.push(linkEnd);
  return pieces.join('');
}

function textRun(text: string, format: TextFormat, base: PropertyList): string {
  const properties = formatRun(base, format).toXml();
  return `<w:r>${properties}<w:t xml:space="preserve">${writeValue(text, 'run')}</w:t></w:r>`;
}
