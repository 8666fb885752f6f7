/** Sector numbers from here on are special; no chain continues with them (MS-CFB, 2.2). */
const firstSpecialSector = 0xfffffffa;
const headerBytes = 512;
const entryBytes = 128;
const miniSectorBytes = 64;
const miniStreamLimit = 4096;
const [rootType, streamType] = [5, 2];
const maxNameBytes = 64;

interface DirectoryEntry {
  readonly name: string;
  readonly type: number;
  readonly start: number;
  readonly sizeBytes: number;
}

/**
 * The streams of a compound file (MS-CFB) by name, wherever they are stored. Reads only what is requested, and follows
 * each chain at most once around. Methods throw RangeError for a damaged file.
 */
export class CompoundFile {
  readonly #file: Buffer;
  readonly #sectorBytes: number;
  /** Positions of the sectors of the allocation table. */
  readonly #tableSectors: readonly number[];
  readonly #entries: readonly DirectoryEntry[];

  constructor(file: Buffer) {
    const shift = file.readUInt16LE(30);
    if ((shift !== 9 && shift !== 12) || file.readUInt16LE(32) !== 6) throw damaged();
    this.#file = file;
    this.#sectorBytes = 1 << shift;
    this.#tableSectors = this.#readTableSectors();
    this.#entries = readEntries(this.#chain(file.readUInt32LE(48)));
  }

  /** The bytes of a stream; undefined if no stream has this name. */
  stream(name: string): Buffer | undefined {
    const entry = this.#entries.find((other) => other.type === streamType && other.name === name);
    if (entry === undefined) return undefined;
    const content =
      entry.sizeBytes < miniStreamLimit ? this.#miniStream(entry) : this.#chain(entry.start, entry.sizeBytes);
    if (content.length < entry.sizeBytes) throw damaged();
    return content.subarray(0, entry.sizeBytes);
  }

  #miniStream({ start, sizeBytes }: DirectoryEntry): Buffer {
    const root = this.#entries.find(({ type }) => type === rootType);
    if (root === undefined) throw damaged();
    const stream = this.#chain(root.start);
    const table = this.#chain(this.#file.readUInt32LE(60));
    const pieces: Buffer[] = [];
    let sector = start;
    for (let left = sizeBytes; left > 0; left -= miniSectorBytes) {
      const piece = stream.subarray(sector * miniSectorBytes, (sector + 1) * miniSectorBytes);
      if (piece.length === 0) throw damaged();
      pieces.push(piece);
      sector = left > miniSectorBytes ? table.readUInt32LE(sector * 4) : sector;
    }
    return Buffer.concat(pieces);
  }

  /** The sectors from `start` on, until they have `maxBytes` bytes or end. */
  #chain(start: number, maxBytes = Number.POSITIVE_INFINITY): Buffer {
    const pieces: Buffer[] = [];
    const maxSectors = Math.min(Math.ceil(maxBytes / this.#sectorBytes), this.#file.length / this.#sectorBytes);
    for (let sector = start; sector < firstSpecialSector && pieces.length < maxSectors; sector = this.#next(sector))
      pieces.push(this.#sector(sector));
    return Buffer.concat(pieces);
  }

  #next(sector: number): number {
    const inTable = this.#sectorBytes / 4;
    const table = this.#tableSectors[Math.floor(sector / inTable)];
    if (table === undefined) throw damaged();
    return this.#sector(table).readUInt32LE((sector % inTable) * 4);
  }

  #sector(number: number): Buffer {
    const start = (number + 1) * this.#sectorBytes;
    if (start >= this.#file.length) throw damaged();
    return this.#file.subarray(start, start + this.#sectorBytes);
  }

  /** The header lists the first 109 sectors of the table; a separate chain lists the others (MS-CFB, 2.5). */
  #readTableSectors(): number[] {
    const found: number[] = [];
    const add = (from: Buffer, start: number, end: number) => {
      for (let at = start; at < end; at += 4) found.push(from.readUInt32LE(at));
    };
    add(this.#file, 76, headerBytes);
    const maxSectors = this.#file.length / this.#sectorBytes;
    let next = this.#file.readUInt32LE(68);
    for (let count = 0; next < firstSpecialSector && count < maxSectors; count++) {
      const sector = this.#sector(next);
      add(sector, 0, this.#sectorBytes - 4);
      next = sector.readUInt32LE(this.#sectorBytes - 4);
    }
    return found.filter((sector) => sector < firstSpecialSector);
  }
}

function readEntries(directory: Buffer): DirectoryEntry[] {
  const entries: DirectoryEntry[] = [];
  for (let at = 0; at + entryBytes <= directory.length; at += entryBytes) {
    const nameBytes = Math.min(Math.max(directory.readUInt16LE(at + 64) - 2, 0), maxNameBytes);
    entries.push({
      name: directory.toString('utf16le', at, at + nameBytes),
      type: directory.readUInt8(at + 66),
      start: directory.readUInt32LE(at + 116),
      sizeBytes: directory.readUInt32LE(at + 120),
    });
  }
  return entries;
}

function damaged(): RangeError {
  return new RangeError('damaged compound file');
}
