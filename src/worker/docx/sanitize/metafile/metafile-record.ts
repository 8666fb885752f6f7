/** The cost of drawing one metafile record. */
export interface MetafileRecord {
  /** Curves that are drawn as polygons, and fills that are drawn as many lines. */
  readonly shapes?: number;
  /** Changes of the clipping region; each is intersected with all earlier ones. */
  readonly clips?: number;
  readonly points?: number;
  /** Pixels of its bitmap, unpacked. */
  readonly pixels?: number;
  /** A metafile embedded in the record. */
  readonly inner?: Buffer | undefined;
}

/** Thrown for a record that extends beyond its file, or whose content extends beyond the record. */
export class MetafileDamaged extends Error {}
