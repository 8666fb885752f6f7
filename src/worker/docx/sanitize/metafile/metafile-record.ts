/** What a record of a metafile costs to draw. */
export interface MetafileRecord {
  /** Curves that are drawn as polygons, and fills that are drawn as many lines. */
  readonly shapes?: number;
  /** Changes of the clipping region, each of which is cut with all before it. */
  readonly clips?: number;
  readonly points?: number;
  /** Of a bitmap, unpacked. */
  readonly pixels?: number;
  /** A metafile in the record. */
  readonly inner?: Buffer | undefined;
}

/** Thrown for a record that does not fit into its file, or whose content does not fit into the record. */
export class MetafileDamaged extends Error {}
