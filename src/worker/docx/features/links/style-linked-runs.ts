import { TextEdits } from '../../package/text-edits.ts';
import { readAttributes, scanTags, type XmlTag } from '../../package/xml-tokens.ts';
import { LinkScope } from './link-scope.ts';

export interface LinkStyles {
  readonly characterIds: ReadonlySet<string>;
  /** The style of runs that have none. */
  readonly plainId: string;
}

interface OpenProperties {
  readonly start: number;
  depth: number;
  isStyled: boolean;
}

/** The part with a character style for each run of its links, or undefined when all have one. */
export function styleLinkedRuns(xml: string, { characterIds, plainId }: LinkStyles): string | undefined {
  const edits = new TextEdits();
  const scope = new LinkScope(xml);
  const plain = `<w:rStyle w:val="${plainId}"/>`;
  let runEnd = -1;
  let properties: OpenProperties | undefined;
  const readStyle = (tag: XmlTag) => {
    const value = readAttributes(xml, tag).find(({ local }) => local === 'val');
    if (value !== undefined && !characterIds.has(value.value))
      edits.replace(value.start, value.end, `w:val="${plainId}"`);
  };
  scanTags(xml, (tag) => {
    if (properties !== undefined) {
      // The tracked change of properties holds properties of its own.
      if (tag.local === 'rPr') properties.depth += tag.kind === 'open' ? 1 : tag.kind === 'close' ? -1 : 0;
      if (properties.depth === 0) {
        if (!properties.isStyled) edits.replace(properties.start, properties.start, plain);
        properties = undefined;
      } else if (tag.local === 'rStyle' && tag.kind !== 'close' && properties.depth === 1) {
        properties.isStyled = true;
        readStyle(tag);
      }
      return;
    }
    if (runEnd >= 0) {
      if (tag.local !== 'rPr') edits.replace(runEnd, runEnd, `<w:rPr>${plain}</w:rPr>`);
      else if (tag.kind === 'empty') edits.replace(tag.start, tag.end, `<w:rPr>${plain}</w:rPr>`);
      else properties = { start: tag.end, depth: 1, isStyled: false };
      runEnd = -1;
    }
    scope.visit(tag);
    if (scope.isInside && isRun(xml, tag)) runEnd = tag.end;
  });
  return edits.isEmpty ? undefined : edits.apply(xml);
}

function isRun(xml: string, { local, kind, start }: XmlTag): boolean {
  return local === 'r' && kind === 'open' && xml.startsWith('<w:', start);
}
