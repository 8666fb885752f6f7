/** The general formatting switches of a field (ECMA-376 part 1, 17.16.4.3) for numbers; undefined for other switches. */
export function formatByName(value: number, format: string): string | undefined {
  const whole = Math.round(value);
  switch (format.toLowerCase()) {
    case 'arabic':
      return String(whole);
    case 'arabicdash':
      return `- ${whole} -`;
    case 'roman':
      return matchCase(romanOf(whole), format, 'roman');
    case 'alphabetic':
      return matchCase(lettersOf(whole), format, 'alphabetic');
    case 'ordinal':
      return `${whole}${suffixOf(whole)}`;
    case 'hex':
      return whole.toString(16).toUpperCase();
    case 'cardtext':
      return words(whole);
    case 'ordtext':
      return ordinalWords(whole);
    case 'dollartext':
      return `${words(Math.floor(value))} and ${String(Math.round((value - Math.floor(value)) * 100)).padStart(2, '0')}/100`;
    default:
      return undefined;
  }
}

/** Changes the case of a result: Upper, Lower, FirstCap or Caps. Unchanged for other switches. */
export function changeCase(text: string, format: string): string {
  switch (format.toLowerCase()) {
    case 'upper':
      return text.toUpperCase();
    case 'lower':
      return text.toLowerCase();
    case 'firstcap':
      return text.replace(/\p{L}/u, (letter) => letter.toUpperCase());
    case 'caps':
      return text.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
    default:
      return text;
  }
}

/** `\* roman` prints small letters, `\* ROMAN` and `\* Roman` capitals. */
function matchCase(text: string, format: string, name: string): string {
  return format === name ? text.toLowerCase() : text;
}

// biome-ignore format: one list
const romans: readonly (readonly [number, string])[] = [
  [1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'],
  [5, 'V'], [4, 'IV'], [1, 'I'],
];

function romanOf(value: number): string {
  if (value < 1 || value > 32_767) return String(value);
  let rest = value;
  let text = '';
  for (const [size, letters] of romans) {
    text += letters.repeat(Math.floor(rest / size));
    rest %= size;
  }
  return text;
}

/** A to Z, then AA to ZZ, AAA and so on. */
function lettersOf(value: number): string {
  if (value < 1 || value > 780) return String(value);
  return String.fromCharCode(65 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}

function suffixOf(value: number): string {
  const rest = Math.abs(value) % 100;
  if (rest >= 11 && rest <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][rest % 10] ?? 'th';
}

// biome-ignore format: one list
const small = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve',
  'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'];
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const maxWords = 999_999;

function words(value: number): string {
  if (!Number.isInteger(value) || value < 0 || value > maxWords) return String(value);
  if (value < 20) return small[value] ?? '';
  if (value < 100) return joined(tens[Math.floor(value / 10)] ?? '', value % 10, '-');
  if (value < 1000) return joined(`${small[Math.floor(value / 100)]} hundred`, value % 100, ' ');
  return joined(`${words(Math.floor(value / 1000))} thousand`, value % 1000, ' ');
}

const joined = (first: string, rest: number, separator: string): string =>
  rest === 0 ? first : `${first}${separator}${words(rest)}`;

const irregular: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

function ordinalWords(value: number): string {
  return words(value).replace(
    /[a-z]+$/,
    (last) => irregular[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`),
  );
}
