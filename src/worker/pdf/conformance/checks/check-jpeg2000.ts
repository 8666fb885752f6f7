const colourBox = 'colr';
const headerBox = 'jp2h';
const containers = new Set([headerBox]);
const allowedMethods = new Set([1, 2, 3]);
const allowedChannels = new Set([1, 3, 4]);
const [fewestBits, mostBits] = [1, 38];
const cielab = 14;
const maxBoxes = 10_000;

interface Box {
  readonly type: string;
  readonly data: Buffer;
}

/** Checks the header of a picture in JPEG 2000 (ISO 19005-2, 6.2.8.3; ISO 15444-1, annex I). */
export function checkJpeg2000(bytes: Uint8Array, hasColourSpace: boolean, report: () => void): void {
  const boxes = readBoxes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const header = boxes.find(({ type }) => type === 'ihdr')?.data;
  if (header === undefined || header.length < 11) return;
  const channels = header.readUInt16BE(8);
  const depths = boxes.find(({ type }) => type === 'bpcc')?.data ?? header.subarray(10, 11);
  const bits = [...depths].map((depth) => (depth & 0x7f) + 1);
  // In the header, 255 means that the depths differ and are in a separate box.
  const isDepthGood = bits.every((count) => count >= fewestBits && count <= mostBits) && new Set(bits).size === 1;
  const colours = boxes.filter(({ type }) => type === colourBox).map(({ data }) => data);
  if (!allowedChannels.has(channels) || !isDepthGood) report();
  if (!hasColourSpace && colours.length > 1 && colours.filter((data) => data[2] === 1).length !== 1) report();
  const isColourGood = colours.every((data) => {
    const method = data[0] ?? 0;
    const isEnumerated = method === 1 && data.length >= 7;
    return allowedMethods.has(method) && !(isEnumerated && data.readUInt32BE(3) === cielab + 5);
  });
  if (!hasColourSpace && !isColourGood) report();
}

function readBoxes(data: Buffer): readonly Box[] {
  const boxes: Box[] = [];
  const read = (from: number, to: number): void => {
    for (let at = from; at + 8 <= to && boxes.length < maxBoxes; ) {
      const length = data.readUInt32BE(at);
      const type = data.toString('latin1', at + 4, at + 8);
      const isLong = length === 1 && at + 16 <= to;
      const size = isLong ? Number(data.readBigUInt64BE(at + 8)) : length === 0 ? to - at : length;
      const start = at + (isLong ? 16 : 8);
      const end = at + size;
      if (size < 8 || end > to) return;
      boxes.push({ type, data: data.subarray(start, end) });
      if (containers.has(type)) read(start, end);
      at = end;
    }
  };
  read(0, data.length);
  return boxes;
}
