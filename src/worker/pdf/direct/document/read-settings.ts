import { UnknownFeature } from '../unknown-feature.ts';
import { childOf, isOn, wholeNumber, type XmlElement } from './xml-element.ts';

export interface Settings {
  readonly hasEvenPages: boolean;
  /** Whether the spaces below and above two paragraphs add up. Otherwise the larger one counts, as in HTML. */
  readonly addsSpaces: boolean;
  /** Between default tab stops, in twips; undefined if the document does not say. */
  readonly tabDistance: number | undefined;
  /** Whether the mark of a paragraph that ends with a page break is on the next page. */
  readonly splitsBreakAndMark: boolean;
  /** Whether it says where footnotes stand or how they are numbered. */
  readonly hasNoteOptions: boolean;
  /** The version of Word whose layout the document asks for: 15 since Word 2013. */
  readonly compatibilityMode: number;
  /** Whether a paragraph that begins a page has no space above: in documents that say they are of Word 2013. */
  readonly dropsSpaceAtBreaks: boolean;
}

/** Settings that change no page, or none of a document whose features are known. */
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
    'captions schemaLibrary smartTagType defaultTableStyle doNotHyphenateCaps hyphenationZone ' +
    'consecutiveHyphenLimit showEnvelope summaryLength clickAndTypeStyle revisionView writeProtection ' +
    'documentProtection alignBordersAndEdges printTwoOnOne useXSLTWhenSaving saveThroughXslt ' +
    'showXMLTags alwaysMergeEmptyNamespace printFractionalCharacterWidth printPostScriptOverText ' +
    'trackRevisions doNotEmbedSmartTags doNotDemarcateInvalidXml uiCompat97To2003 printFormsData forceUpgrade readModeInkLockDown noLineBreaksAfter noLineBreaksBefore'
  )
    .split(' ')
    .map((name) => `w:${name}`),
);
/** Off by default; on, they change pages. */
const onlyOff: ReadonlySet<string> = new Set(
  'w:mirrorMargins w:gutterAtTop w:autoHyphenation w:bookFoldPrinting w:bookFoldRevPrinting'.split(' '),
);
/** Options of compatibility that LibreOffice ignores (17.15.3), and the list of `w:compatSetting`. */
const compatibility: ReadonlySet<string> = new Set(
  (
    'compatSetting doNotExpandShiftReturn doNotUseHTMLParagraphAutoSpacing useFELayout spaceForUL balanceSingleByteDoubleByteWidth doNotLeaveBackslashAlone ulTrailSpace ' +
    'adjustLineHeightInTable useNormalStyleForList doNotUseIndentAsNumberingTabStop useAltKinsokuLineBreakRules ' +
    'allowSpaceOfSameStyleInTable doNotSuppressIndentation doNotAutofitConstrainedTables ' +
    'autofitToFirstFixedWidthCell displayHangulFixedWidth splitPgBreakAndParaMark ' +
    'doNotVertAlignCellWithSp doNotBreakConstrainedForcedTable doNotVertAlignInTxbx useAnsiKerningPairs ' +
    'cachedColBalance growAutofit applyBreakingRules underlineTabInNumList doNotSnapToGridInCell'
  )
    .split(' ')
    .map((name) => `w:${name}`),
);

/** Reads the root of the settings part (17.15.1). Throws UnknownFeature for a setting that may change pages. */
export function readSettings(root: XmlElement | undefined): Settings {
  let hasEvenPages = false;
  for (const element of root?.children ?? []) {
    if (onlyOff.has(element.name)) {
      if (isOn(element)) throw new UnknownFeature(element.name);
    } else if (element.name.startsWith('w:') && !harmless.has(element.name)) throw new UnknownFeature(element.name);
    if (element.name === 'w:evenAndOddHeaders') hasEvenPages = isOn(element);
  }
  const tab = root && childOf(root, 'w:defaultTabStop');
  const tabDistance = tab && wholeNumber(tab, 'w:val', 100, 31_680);
  const compat = root && childOf(root, 'w:compat');
  const ownSpacing = compat && childOf(compat, 'w:doNotUseHTMLParagraphAutoSpacing');
  // Without the part, LibreOffice does not learn that the option is off.
  const addsSpaces = root === undefined || (ownSpacing !== undefined && isOn(ownSpacing));
  const split = compat && childOf(compat, 'w:splitPgBreakAndParaMark');
  const splitsBreakAndMark = split !== undefined && isOn(split);
  const mode = readMode(compat);
  const notes = root && childOf(root, 'w:footnotePr');
  return {
    ...{ hasEvenPages, addsSpaces, tabDistance, splitsBreakAndMark },
    // LibreOffice lays out the tables of documents without a mode as those of Word 2013.
    compatibilityMode: mode ?? modeOf2013,
    hasNoteOptions: notes?.children.some(({ name }) => name !== 'w:footnote') === true,
    dropsSpaceAtBreaks: mode === modeOf2013,
  };
}

const modeOf2013 = 15;

function readMode(compat: XmlElement | undefined): number | undefined {
  let mode: number | undefined;
  for (const element of compat?.children ?? []) {
    if (!compatibility.has(element.name)) throw new UnknownFeature(element.name);
    if (element.attributes.get('w:name') === 'compatibilityMode') mode = wholeNumber(element, 'w:val', 11, modeOf2013);
  }
  return mode;
}
