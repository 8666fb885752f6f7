/** The names of Latin glyphs, in the order of the standard strings of CFF (Adobe Technical Note 5176, appendix A). */
const names =
  '.notdef space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright asterisk plus comma hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright asciicircum underscore quoteleft a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde exclamdown cent sterling fraction yen florin section currency quotesingle quotedblleft guillemotleft guilsinglleft guilsinglright fi fl endash dagger daggerdbl periodcentered paragraph bullet quotesinglbase quotedblbase quotedblright guillemotright ellipsis perthousand questiondown grave acute circumflex tilde macron breve dotaccent dieresis ring cedilla hungarumlaut ogonek caron emdash AE ordfeminine Lslash Oslash OE ordmasculine ae dotlessi lslash oslash oe germandbls onesuperior logicalnot mu trademark Eth onehalf plusminus Thorn onequarter divide brokenbar degree thorn threequarters twosuperior registered minus eth multiply threesuperior copyright Aacute Acircumflex Adieresis Agrave Aring Atilde Ccedilla Eacute Ecircumflex Edieresis Egrave Iacute Icircumflex Idieresis Igrave Ntilde Oacute Ocircumflex Odieresis Ograve Otilde Scaron Uacute Ucircumflex Udieresis Ugrave Yacute Ydieresis Zcaron aacute acircumflex adieresis agrave aring atilde ccedilla eacute ecircumflex edieresis egrave iacute icircumflex idieresis igrave ntilde oacute ocircumflex odieresis ograve otilde scaron uacute ucircumflex udieresis ugrave yacute ydieresis zcaron';
const characters =
  '\0 !"#$%&’()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_‘abcdefghijklmnopqrstuvwxyz{|}~¡¢£⁄¥ƒ§¤\'“«‹›ﬁﬂ–†‡·¶•‚„”»…‰¿`´ˆ˜¯˘˙¨˚¸˝˛ˇ—ÆªŁØŒºæıłøœß¹¬µ™Ð½±Þ¼÷¦°þ¾²®−ð×³©ÁÂÄÀÅÃÇÉÊËÈÍÎÏÌÑÓÔÖÒÕŠÚÛÜÙÝŸŽáâäàåãçéêëèíîïìñóôöòõšúûüùýÿž';

/** The standard strings for Latin glyphs. Those after them are glyphs of expert fonts and names of weights. */
export const standardStrings: readonly string[] = names.split(' ');
export const standardStringCount = 391;

const nameOfCharacter = new Map([...characters].map((character, index) => [character, standardStrings[index] ?? '']));
nameOfCharacter.set('€', 'Euro');

/** The StandardEncoding of Type 1: ranges of codes, whose glyphs are in the order of the standard strings. */
const standardCodes = [
  ...[
    [32, 126],
    [161, 175],
    [177, 180],
    [182, 189],
    [191, 191],
    [193, 200],
    [202, 203],
    [205, 208],
    [225, 225],
    [227, 227],
    [232, 235],
    [241, 241],
    [245, 245],
    [248, 251],
  ],
].flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, index) => from + index));

export const standardEncoding: ReadonlyMap<number, string> = new Map(
  standardCodes.map((code, index) => [code, standardStrings[index + 1] ?? '']),
);

/** The encodings that PDF names (ISO 32000-1, annex D); undefined for others. */
export function namedEncoding(name: string | undefined): ReadonlyMap<number, string> | undefined {
  if (name === 'StandardEncoding') return standardEncoding;
  const label = { WinAnsiEncoding: 'windows-1252', MacRomanEncoding: 'macintosh' }[name ?? ''];
  if (label === undefined) return undefined;
  const decoder = new TextDecoder(label);
  const entries = Array.from({ length: 256 }, (_, code) => {
    const character = decoder.decode(Uint8Array.of(code));
    // The no-break space and the soft hyphen have the glyphs of the space and the hyphen.
    const shown = character === '\u00a0' ? ' ' : character === '\u00ad' ? '-' : character;
    return [code, shown === '\0' ? undefined : nameOfCharacter.get(shown)] as const;
  });
  return new Map(entries.filter((entry): entry is [number, string] => entry[1] !== undefined));
}
