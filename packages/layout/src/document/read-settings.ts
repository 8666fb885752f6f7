import { UnknownFeature } from '../unknown-feature.ts';
import { type Attempt, nothing } from './attempt.ts';
import type { AutoSpacing } from './auto-spacing.ts';
import type { DecimalPoint } from './tree.ts';
import { childOf, isOn, wholeNumber, type XmlElement } from './xml-element.ts';

export interface Settings {
  readonly hasEvenPages: boolean;
  /** Whether words at line ends may be hyphenated, where paragraphs allow it. */
  readonly hyphenates: boolean;
  /**
   * Whether the space below one paragraph and the space above the next add up. Otherwise the larger one applies, as in
   * HTML.
   */
  readonly addsSpaces: boolean;
  readonly autoSpacing: AutoSpacing;
  /** The distance between default tab stops, in twips; undefined if the document does not specify it. */
  readonly tabDistance: number | undefined;
  /** Whether the mark of a paragraph that ends with a page break is on the next page. */
  readonly splitsBreakAndMark: boolean;
  readonly isProtectedForm: boolean;
  /** The version of Word whose layout the document requests: 15 since Word 2013. */
  readonly compatibilityMode: number;
  /** Whether the settings name that version explicitly. Otherwise LibreOffice lays out lines as for older versions. */
  readonly isOfWord2013: boolean;
  /** Whether a justified line that ends with a line break is not stretched. */
  readonly keepsBrokenLines: boolean;
  /** Whether the size and alignment of the default paragraph style take precedence over table styles. */
  readonly keepsStyleInTables: boolean;
  /** The character at which decimal tabs align. */
  readonly decimalPoint: DecimalPoint;
  /** Whether the settings define the position or numbering of footnotes. */
  readonly hasNoteOptions: boolean;
}

/** Settings that change no pages, at least not those of a document whose features are supported. */
const harmless: ReadonlySet<string> = new Set(
  (
    'zoom view removePersonalInformation removeDateAndTime doNotDisplayPageBoundaries displayBackgroundShape ' +
    'embedTrueTypeFonts embedSystemFonts saveSubsetFonts mirrorMargins bordersDoNotSurroundHeader ' +
    'bordersDoNotSurroundFooter hideSpellingErrors hideGrammaticalErrors activeWritingStyle proofState ' +
    'formsDesign attachedTemplate linkStyles stylePaneFormatFilter stylePaneSortMethod documentType ' +
    'doNotTrackMoves doNotTrackFormatting defaultTabStop evenAndOddHeaders characterSpacingControl compat rsids ' +
    'mathPr themeFontLang clrSchemeMapping doNotIncludeSubdocsInStats shapeDefaults decimalSymbol listSeparator ' +
    'drawingGridHorizontalSpacing drawingGridVerticalSpacing displayHorizontalDrawingGridEvery ' +
    'displayVerticalDrawingGridEvery doNotUseMarginsForDrawingGridOrigin drawingGridHorizontalOrigin ' +
    'drawingGridVerticalOrigin doNotShadeFormData noPunctuationKerning savePreviewPicture ' +
    'doNotValidateAgainstSchema saveInvalidXml ignoreMixedContent alwaysShowPlaceholderText ' +
    'footnotePr endnotePr hdrShapeDefaults docVars updateFields doNotAutoCompressPictures ' +
    'captions schemaLibrary smartTagType defaultTableStyle doNotHyphenateCaps autoHyphenation hyphenationZone ' +
    'consecutiveHyphenLimit showEnvelope summaryLength clickAndTypeStyle revisionView writeProtection ' +
    'documentProtection alignBordersAndEdges printTwoOnOne useXSLTWhenSaving saveThroughXslt ' +
    'showXMLTags alwaysMergeEmptyNamespace printFractionalCharacterWidth printPostScriptOverText ' +
    'trackRevisions doNotEmbedSmartTags doNotDemarcateInvalidXml uiCompat97To2003 printFormsData forceUpgrade readModeInkLockDown noLineBreaksAfter noLineBreaksBefore'
  )
    .split(' ')
    .map((name) => `w:${name}`),
);
/** Off by default; if on, they change pages. */
const onlyOff: ReadonlySet<string> = new Set(
  'w:mirrorMargins w:gutterAtTop w:bookFoldPrinting w:bookFoldRevPrinting'.split(' '),
);
/** Compatibility options that LibreOffice ignores (17.15.3), and the list of `w:compatSetting`. */
const compatibility: ReadonlySet<string> = new Set(
  (
    'compatSetting doNotExpandShiftReturn doNotUseHTMLParagraphAutoSpacing useFELayout spaceForUL balanceSingleByteDoubleByteWidth doNotLeaveBackslashAlone ulTrailSpace ' +
    'adjustLineHeightInTable useNormalStyleForList doNotUseIndentAsNumberingTabStop useAltKinsokuLineBreakRules ' +
    'allowSpaceOfSameStyleInTable doNotSuppressIndentation doNotAutofitConstrainedTables ' +
    'autofitToFirstFixedWidthCell displayHangulFixedWidth splitPgBreakAndParaMark ' +
    'doNotVertAlignCellWithSp doNotBreakConstrainedForcedTable doNotVertAlignInTxbx useAnsiKerningPairs ' +
    'cachedColBalance growAutofit applyBreakingRules underlineTabInNumList doNotSnapToGridInCell ' +
    'useSingleBorderforContiguousCells wpJustification noTabHangInd noExtraLineSpacing spacingInWholePoints ' +
    'lineWrapLikeWord6 printBodyTextBeforeHeader printColBlack wpSpaceWidth showBreaksInFrames subFontBySize ' +
    'suppressBottomSpacing suppressTopSpacing suppressSpacingAtTopOfPage suppressTopSpacingWP ' +
    'suppressSpBfAfterPgBrk swapBordersFacingPages convMailMergeEsc truncateFontHeightsLikeWP6 mwSmallCaps ' +
    'usePrinterMetrics doNotSuppressParagraphBorders wrapTrailSpaces footnoteLayoutLikeWW8 shapeLayoutLikeWW8 ' +
    'alignTablesRowByRow forgetLastTabAlignment autoSpaceLikeWord95 noSpaceRaiseLower layoutRawTableWidth ' +
    'layoutTableRowsApart useWord97LineBreakRules selectFldWithFirstOrLastChar doNotWrapTextWithPunct ' +
    'doNotUseEastAsianBreakRules useWord2002TableStyleRules doNotBreakWrappedTables'
  )
    .split(' ')
    .map((name) => `w:${name}`),
);

/** Reads the root of the settings part (17.15.1). Throws UnknownFeature for a setting that may change pages. */
export function readSettings(root: XmlElement | undefined, attempt: Attempt): Settings {
  let [hasEvenPages, hyphenates] = [false, false];
  for (const element of root?.children ?? []) {
    attempt(() => requireKnown(element), nothing);
    if (element.name === 'w:evenAndOddHeaders') hasEvenPages = isOn(element);
    if (element.name === 'w:autoHyphenation') hyphenates = isOn(element);
  }
  const tab = root && childOf(root, 'w:defaultTabStop');
  const tabDistance = tab && wholeNumber(tab, 'w:val', 100, 31_680);
  const compat = root && childOf(root, 'w:compat');
  const ownSpacing = compat && childOf(compat, 'w:doNotUseHTMLParagraphAutoSpacing');
  // If the part is missing, LibreOffice does not know that the option is off.
  const isOwnSpacing = ownSpacing !== undefined && isOn(ownSpacing);
  const addsSpaces = root === undefined || isOwnSpacing;
  const split = compat && childOf(compat, 'w:splitPgBreakAndParaMark');
  const splitsBreakAndMark = split !== undefined && isOn(split);
  const ownBreaks = compat && childOf(compat, 'w:doNotExpandShiftReturn');
  const symbol = root && childOf(root, 'w:decimalSymbol');
  const notes = root && childOf(root, 'w:footnotePr');
  const mode = readCompatibility(compat, attempt);
  return {
    hasEvenPages,
    hyphenates,
    addsSpaces,
    autoSpacing: isOwnSpacing ? fixedSpacing : htmlSpacing,
    tabDistance,
    splitsBreakAndMark,
    isProtectedForm: isProtectedForm(root),
    // Without a mode, LibreOffice lays out tables as in Word 2013.
    compatibilityMode: mode ?? word2013,
    isOfWord2013: mode === word2013,
    keepsStyleInTables: compat?.children.some(keepsStyle) === true,
    hasNoteOptions: notes?.children.some(({ name }) => name !== 'w:footnote') === true,
    keepsBrokenLines: ownBreaks !== undefined && isOn(ownBreaks),
    decimalPoint: symbol?.attributes.get('w:val') === ',' ? ',' : '.',
  };
}

function requireKnown(element: XmlElement): void {
  if (onlyOff.has(element.name)) {
    if (isOn(element)) throw new UnknownFeature(element.name);
  } else if (element.name.startsWith('w:') && !harmless.has(element.name)) throw new UnknownFeature(element.name);
}

/** LibreOffice's values: 14 points, as in HTML, or 5 points (`ConversionHelper`). */
const htmlSpacing: AutoSpacing = { space: 280, isDroppedAtEdges: true };
const fixedSpacing: AutoSpacing = { space: 100, isDroppedAtEdges: false };

/** Whether only form fields may be edited (17.15.1.29). LibreOffice then keeps the sections separate. */
function isProtectedForm(root: XmlElement | undefined): boolean {
  const protection = root && childOf(root, 'w:documentProtection')?.attributes;
  return protection?.get('w:edit') === 'forms' && /^(?:1|true|on)$/.test(protection.get('w:enforcement') ?? '');
}

/** A compatibility option of Word 2010 and later ([MS-DOCX] 2.2.1). */
function keepsStyle({ attributes }: XmlElement): boolean {
  const isOption = attributes.get('w:name') === 'overrideTableStyleFontSizeAndJustification';
  return isOption && /^(?:1|true|on)$/.test(attributes.get('w:val') ?? '');
}

const word2013 = 15;

function readCompatibility(compat: XmlElement | undefined, attempt: Attempt): number | undefined {
  let mode: number | undefined;
  for (const element of compat?.children ?? []) mode = attempt(() => readOption(element), nothing) ?? mode;
  return mode;
}

/** The version of Word in a compatibility option; undefined for any other option. */
function readOption(element: XmlElement): number | undefined {
  if (!compatibility.has(element.name)) throw new UnknownFeature(element.name);
  const isMode = element.attributes.get('w:name') === 'compatibilityMode';
  return isMode ? wholeNumber(element, 'w:val', 11, word2013) : undefined;
}
