import type { DocxPackage } from '../../package/open-package.ts';
import { lineBreak } from './write-value.ts';

const settingsPart = 'word/settings.xml';
const justified = /<w:jc\b[^>]*\bw:val="(?:both|distribute|\w+Kashida)"/;
const breakBytes = Buffer.from(lineBreak);

/** Whether some text of a template may be justified. */
export function mayJustify(source: DocxPackage): boolean {
  return source.partNames.some(
    (name) => /^word\/[^/]*\.xml$/i.test(name) && justified.test(source.readText(name) ?? ''),
  );
}

/**
 * The settings under which lines that end with a line break are not stretched in justified text (ECMA-376 part 1,
 * 17.15.3.19), if the values of a document have line breaks.
 */
export function keepBrokenLines(source: DocxPackage, filled: ReadonlyMap<string, Buffer>): ReadonlyMap<string, Buffer> {
  const hasBreak = [...filled.values()].some((bytes) => bytes.includes(breakBytes));
  const xml = hasBreak ? (filled.get(settingsPart)?.toString('utf8') ?? source.readText(settingsPart)) : undefined;
  if (xml === undefined || xml.includes('doNotExpandShiftReturn')) return new Map();
  const option = '<w:doNotExpandShiftReturn/>';
  const written = /<w:compat>/.test(xml)
    ? withOption(xml, option)
    : xml
        .replace(/<w:compat\/>/, `<w:compat>${option}</w:compat>`)
        .replace(
          /(?=<w:(?:docVars|rsids|attachedSchema|themeFontLang|clrSchemeMapping|decimalSymbol|listSeparator)\b|<m:mathPr\b|<\/w:settings>)/,
          (found, _offset, whole) => (whole.includes(option) ? found : `<w:compat>${option}</w:compat>`),
        );
  return written === xml ? new Map() : new Map([[settingsPart, Buffer.from(written)]]);
}

/** Options that follow it in `w:compat`; `w:compatSetting` is the last. */
const later =
  /(?=<w:(?:spacingInWholePoints|lineWrapLikeWord6|printBodyTextBeforeHeader|printColBlack|wpSpaceWidth|showBreaksInFrames|subFontBySize|suppressBottomSpacing|suppressTopSpacing|suppressSpacingAtTopOfPage|suppressTopSpacingWP|suppressSpBfAfterPgBrk|swapBordersFacingPages|convMailMergeEsc|truncateFontHeightsLikeWP6|mwSmallCaps|usePrinterMetrics|doNotSuppressParagraphBorders|wrapTrailSpaces|footnoteLayoutLikeWW8|shapeLayoutLikeWW8|alignTablesRowByRow|forgetLastTabAlignment|adjustLineHeightInTable|autoSpaceLikeWord95|noSpaceRaiseLower|doNotUseHTMLParagraphAutoSpacing|layoutRawTableWidth|layoutTableRowsApart|useWord97LineBreakRules|doNotBreakWrappedTables|doNotSnapToGridInCell|selectFldWithFirstOrLastChar|applyBreakingRules|doNotWrapTextWithPunct|doNotUseEastAsianBreakRules|useWord2002TableStyleRules|growAutofit|useFELayout|useNormalStyleForList|doNotUseIndentAsNumberingTabStop|useAltKinsokuLineBreakRules|allowSpaceOfSameStyleInTable|doNotSuppressIndentation|doNotAutofitConstrainedTables|autofitToFirstFixedWidthCell|underlineTabInNumList|displayHangulFixedWidth|splitPgBreakAndParaMark|doNotVertAlignCellWithSp|doNotBreakConstrainedForcedTable|doNotVertAlignInTxbx|useAnsiKerningPairs|cachedColBalance|compatSetting)\b|<\/w:compat>)/;

const withOption = (xml: string, option: string): string => {
  const start = xml.indexOf('<w:compat>') + '<w:compat>'.length;
  return `${xml.slice(0, start)}${xml.slice(start).replace(later, option)}`;
};
