/**
 * The layout of Word documents without LibreOffice, with LibreOffice's pages. An opened package and fonts go in; a PDF
 * comes out, or the reason why the document is not laid out.
 */

export { inspectDocument } from './document/inspect-document.ts';
export type { DrawnWatermark, PageSize } from './draw-watermark.ts';
export { findFonts, type SizedFontOf } from './fonts/find-faces.ts';
export type { Joint } from './long-tables/choose-joints.ts';
export { type LongTable, type Prediction, predictJoints, type RowHeight } from './long-tables/predict-joints.ts';
export { type DirectConverter, type DirectPdf, openDirectConverter } from './open-direct-converter.ts';
export { UnknownFeature } from './unknown-feature.ts';
export type { Standards } from './write/standards.ts';
