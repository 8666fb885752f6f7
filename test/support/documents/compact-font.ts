/** A CFF program (Adobe Technical Note 5176) with the empty glyphs `.notdef` and `A`, which is 500 units wide. */
export function compactFont(): Buffer {
  const endchar = 14;
  const charStrings = index([Buffer.from([endchar]), Buffer.from([...integer(10), endchar])]);
  const standardStringOfA = 34;
  const charset = Buffer.from([0, 0, standardStringOfA]);
  const [defaultWidth, nominalWidth] = [20, 21];
  const own = Buffer.from([...integer(0), defaultWidth, ...integer(490), nominalWidth]);
  const head = Buffer.concat([Buffer.from([1, 0, 4, 1]), index([Buffer.from('Compact')])]);
  const top = (at: number): Buffer =>
    Buffer.from([
      ...[...integer(at), 15],
      ...[...integer(at + charset.length), 17],
      ...[...integer(own.length), ...integer(at + charset.length + charStrings.length), 18],
    ]);
  const none = Buffer.concat([index([]), index([])]);
  const start = head.length + index([top(0)]).length + none.length;
  return Buffer.concat([head, index([top(start)]), none, charset, charStrings, own]);
}

/** An operand of two bytes. */
function integer(value: number): readonly number[] {
  return [28, (value >> 8) & 255, value & 255];
}

function index(items: readonly Buffer[]): Buffer {
  if (items.length === 0) return Buffer.from([0, 0]);
  const offsets = [1];
  for (const item of items) offsets.push((offsets.at(-1) ?? 1) + item.length);
  return Buffer.concat([Buffer.from([0, items.length, 1, ...offsets]), ...items]);
}
