import { attributeOf, decodeEntities, scanXml, type XmlTag } from '@docmill/word/xml-tokens';
import type { AccessibilityFindings } from './accessibility-findings.ts';
import { contrastOf } from './contrast.ts';
import { type StyleFacts, toLevel } from './style-facts.ts';

interface Table {
  rows: number;
  columns: number;
  /** The number of cells in the current row. */
  cells: number;
  hasHeading: boolean;
  isMerged: boolean;
  text: string;
  fill: string | undefined;
}

interface Drawing {
  isDescribed: boolean;
  hasPicture: boolean;
  name: string;
}

interface Run {
  colour: string | undefined;
  fill: string | undefined;
  halfPoints: number;
  text: string;
}

const pictures = new Set(['pic', 'chart', 'relIds', 'imagedata']);
const address = /^(?:https?:\/\/|www\.)\S+$/i;
const vague = /^(?:here|click here|more|read more|link|this link|hier|mehr|ici|plus|aquí|más)$/i;
const falseValues = new Set(['0', 'false', 'off']);
const maxTextChars = 200;
/** Shorter documents need no headings. */
const longParagraphs = 40;
const largeHalfPoints = 36;
const minContrast = 4.5;
const minLargeContrast = 3;

/** Checks the headings, pictures, tables, links and colours of the main document in one pass. */
export function inspectBody(xml: string, styles: StyleFacts, findings: AccessibilityFindings): void {
  const tables: Table[] = [];
  let drawing: Drawing | undefined;
  let link: string | undefined;
  let run: Run | undefined;
  let paragraph = { level: undefined as number | undefined, text: '', fill: undefined as string | undefined };
  let isText = false;
  let isInParagraphProperties = false;
  let fallbacks = 0;
  let textBoxes = 0;
  let paragraphs = 0;
  let last = 0;

  const endParagraph = (): void => {
    if (paragraph.text.trim() === '') return;
    paragraphs++;
    const { level, text } = paragraph;
    if (level === undefined) return;
    if (last === 0 && level > 1) findings.add('heading_first', text);
    else if (level > last + 1) findings.add('heading_skipped', text);
    last = level;
  };

  const endTable = (table: Table | undefined): void => {
    if (table === undefined || table.rows < 2 || table.columns < 2) return;
    if (!table.hasHeading) findings.add('table_heading_missing', table.text);
    if (table.isMerged) findings.add('merged_cells', table.text);
  };

  const endRun = (ended: Run | undefined): void => {
    if (ended?.colour === undefined || ended.text.trim() === '') return;
    const table = tables.at(-1);
    const fill = ended.fill ?? paragraph.fill ?? table?.fill;
    // Styles of tables and shapes may colour the background.
    if (fill === undefined && (table !== undefined || textBoxes > 0)) return;
    const contrast = contrastOf(ended.colour, fill ?? 'FFFFFF');
    const needed = ended.halfPoints >= largeHalfPoints ? minLargeContrast : minContrast;
    if (contrast !== undefined && contrast < needed) findings.add('low_contrast', ended.text);
  };

  const visitTable = (tag: XmlTag): void => {
    const table = tables.at(-1);
    if (tag.local === 'tbl' && tag.kind === 'open') {
      tables.push({ rows: 0, columns: 0, cells: 0, hasHeading: false, isMerged: false, text: '', fill: undefined });
    } else if (tag.local === 'tbl' && tag.kind === 'close') endTable(tables.pop());
    else if (table === undefined) return;
    else if (tag.local === 'tr' && tag.kind === 'open') {
      table.rows++;
      table.cells = 0;
    } else if (tag.local === 'tc') {
      if (tag.kind === 'open') table.columns = Math.max(table.columns, ++table.cells);
      table.fill = undefined;
    } else if (tag.kind === 'close') return;
    else if (tag.local === 'tblHeader' && table.rows === 1) table.hasHeading = isOn(xml, tag);
    else if (tag.local === 'vMerge') table.isMerged = true;
    else if (tag.local === 'gridSpan' && Number(attributeOf(xml, tag, 'val')) > 1) table.isMerged = true;
  };

  const visitDrawing = (tag: XmlTag): void => {
    const { local, kind } = tag;
    if (local === 'drawing' || local === 'pict') {
      if (kind === 'open' && textBoxes === 0) drawing = { isDescribed: false, hasPicture: false, name: '' };
      else if (kind === 'close' && textBoxes === 0) {
        if (drawing?.hasPicture === true && !drawing.isDescribed)
          findings.add('alternative_text_missing', drawing.name);
        drawing = undefined;
      }
    } else if (drawing === undefined || kind === 'close') return;
    else if (local === 'docPr' || local === 'shape') {
      const texts = ['descr', 'title', 'alt'].map((name) => attributeOf(xml, tag, name)?.trim() ?? '');
      drawing.isDescribed ||= texts.some((text) => text !== '');
      drawing.name ||= attributeOf(xml, tag, 'name') ?? '';
    } else if (local === 'decorative') drawing.isDescribed ||= isOn(xml, tag);
    else if (pictures.has(local)) drawing.hasPicture = true;
  };

  const visitText = (tag: XmlTag): void => {
    const { local, kind } = tag;
    if (local === 'pPr') isInParagraphProperties = kind === 'open';
    else if (local === 'p') {
      if (kind === 'open') paragraph = { level: undefined, text: '', fill: undefined };
      else endParagraph();
    } else if (local === 'r') {
      if (kind === 'close') endRun(run);
      run = kind === 'open' ? { colour: undefined, fill: undefined, halfPoints: 0, text: '' } : undefined;
    } else if (local === 'hyperlink') {
      if (kind === 'close' && link !== undefined && isPoor(link)) findings.add('link_text', link);
      link = kind === 'open' ? '' : undefined;
    } else if (local === 't') isText = kind === 'open';
    else if (kind !== 'close') visitProperty(tag);
  };

  const visitProperty = (tag: XmlTag): void => {
    const value = attributeOf(xml, tag, 'val');
    if (tag.local === 'pStyle') paragraph.level ??= styles.levelOf(value ?? '');
    else if (tag.local === 'outlineLvl') paragraph.level = toTextLevel(value);
    else if (tag.local === 'color' && run !== undefined) run.colour = value;
    else if (tag.local === 'sz' && run !== undefined) run.halfPoints = Number(value);
    else if (tag.local === 'highlight' && run !== undefined) run.colour = undefined;
    else if (tag.local === 'shd') {
      const fill = attributeOf(xml, tag, 'fill');
      const table = tables.at(-1);
      if (run !== undefined) run.fill = fill;
      else if (isInParagraphProperties) paragraph.fill = fill;
      else if (table !== undefined) table.fill = fill;
    }
  };

  scanXml(
    xml,
    (tag) => {
      if (tag.local === 'Fallback' && tag.kind !== 'empty') fallbacks += tag.kind === 'open' ? 1 : -1;
      if (fallbacks > 0) return;
      if (tag.local === 'txbxContent' && tag.kind !== 'empty') textBoxes += tag.kind === 'open' ? 1 : -1;
      visitTable(tag);
      visitDrawing(tag);
      visitText(tag);
    },
    (span) => {
      if (!isText || fallbacks > 0 || span.kind !== 'text') return;
      const text = decodeEntities(xml.slice(span.start, Math.min(span.end, span.start + maxTextChars)));
      const table = tables.at(-1);
      paragraph.text = append(paragraph.text, text);
      if (run !== undefined) run.text = append(run.text, text);
      if (link !== undefined) link = append(link, text);
      if (table !== undefined) table.text = append(table.text, table.text === '' ? text : ` ${text}`);
    },
  );
  if (last === 0 && paragraphs >= longParagraphs) findings.add('heading_missing');
}

function append(before: string, text: string): string {
  return before.length >= maxTextChars ? before : before + text;
}

function isPoor(text: string): boolean {
  const plain = text.trim();
  return address.test(plain) || vague.test(plain);
}

function isOn(xml: string, tag: XmlTag): boolean {
  return !falseValues.has(attributeOf(xml, tag, 'val') ?? '');
}

function toTextLevel(value: string | undefined): number | undefined {
  const level = toLevel(value);
  return level === undefined || level > 9 ? undefined : level;
}
