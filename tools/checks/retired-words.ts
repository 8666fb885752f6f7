import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';

/** A retired name or phrase, with the standard term that replaces it. */
interface RetiredWord {
  readonly word: RegExp;
  readonly use: string;
  /** Files in which the word has its ordinary meaning. */
  readonly unless?: RegExp | undefined;
}

const retired = (word: RegExp, use: string, unless?: RegExp): RetiredWord => ({ word, use, unless });
const documents = /docx|pdf\/direct|packages\/|template-language|examples|pictures/;

/** Matched against the single words of file names and identifiers, in lower case: `fillLane` is `fill`, `lane`. */
const retiredInNames: readonly RetiredWord[] = [
  retired(/^lanes?$/, 'queue, or format'),
  retired(/^turnstiles?$/, 'keyed limiter'),
  retired(/^standings?$/, 'virtual time'),
  retired(/^(flights|reap|reaped|landed)$/, 'in-flight row, collect finished'),
  retired(/^recall(ed)?$/, 'requeue'),
  retired(/^(told|tell)$/, 'notify, report, reply'),
  retired(/^strikes?$/, 'conversion failure', documents),
  retired(/^strays?$/, 'orphaned object'),
  retired(/^worn$/, 'expired'),
  retired(/^(mend|mends|mended|judge|judges|judged)$/, 'repair, validate'),
  retired(/^moment$/, 'now, time, date'),
  retired(/^(census|departures)$/, 'stats, throughput'),
  retired(/^mailslots?$/, 'latest-value channel'),
  retired(/^(symbology|symbologies)$/, 'barcode type'),
  retired(/^rooms?$/, 'module, folder'),
  retired(/^strangers?$/, 'anonymous client'),
  retired(/^fabric$/, 'infrastructure'),
];

/** Matched against whole identifiers. */
const retiredNames: readonly RetiredWord[] = [
  retired(/^(takeTurns?|joinTurns?|createTurns?)$/, 'schedule(), keyed limiter'),
  retired(/^(rightOfWay|RightOfWay|createRightOfWay)$/, 'priority gate'),
  retired(/^(handOver|givenBack|giveBack|letGo)$/, 'enqueue, release, refund, drain'),
  retired(/^(isHeard|isWatched|whenOut|persist)$/, 'hasSubscribers, emitsEvents, onResponseFinished, retryOnOutage'),
];

/** Matched against the text of documents, comments and messages. */
const retiredPhrases: readonly RetiredWord[] = [
  retired(/\b(lane|lanes)\b/i, 'queue'),
  retired(/\b(given|give|gives|giving) back\b/i, 'release, refund'),
  retired(/\b(is|are|be|was|were|been) told\b/i, 'notified, reported'),
  retired(/\bhand(s|ed|ing)? over\b/i, 'enqueue, pass'),
  retired(/\bright of way\b/i, 'priority'),
  retired(/\bstrays?\b/i, 'orphaned object'),
  // The word in backticks is the HTML element.
  retired(/\bstrikes?\b/i, 'conversion failure', documents),
  retired(/\bmailslots?\b/i, 'latest-value channel'),
  retired(/\bsymbolog(y|ies)\b/i, 'barcode type'),
  retired(/\bmade anew\b|\bdrawn anew\b|\bmeasured anew\b/i, 'again, new'),
  retired(/\btakes? turns\b|\bby turns\b/i, 'fair share'),
  retired(/\bfabric\b/i, 'infrastructure'),
  retired(/\bstrangers?\b/i, 'anonymous client, newcomer'),
  retired(
    /\bnobody waits for company\b|\baccounts never meet\b|\blaughing svgs?\b/i,
    'see the style guide in CONTRIBUTING',
  ),
];

/** The check itself, test data that contains retired words, and the rules for invoices, whose wording is official. */
const exempt =
  /^(tools\/checks\/retired-words\.ts|packages\/einvoice\/src\/rules\/|test\/unit\/tools\/checks\/|CHANGELOG\.md)/;
const code = new Set(['.ts', '.mjs', '.cjs', '.py']);
const prose = new Set(['.md', '.yaml', '.yml', '.html']);
const dashboards = /^deploy\/.*\.json$/;

export interface RetiredUse {
  readonly file: string;
  readonly line: number;
  readonly found: string;
  readonly use: string;
}

/** Every retired word in the names, identifiers and text of the given files, in order. */
export function findRetiredWords(files: readonly string[]): readonly RetiredUse[] {
  return files.filter((file) => !exempt.test(file)).flatMap((file) => [...inFileName(file), ...inContent(file)]);
}

function inFileName(file: string): readonly RetiredUse[] {
  const words = file.split(/[^a-zA-Z]+/).map((word) => word.toLowerCase());
  return matches(retiredInNames, words, file).map(({ found, use }) => ({ file, line: 0, found, use }));
}

function inContent(file: string): readonly RetiredUse[] {
  const kind = extname(file);
  const isCode = code.has(kind) || (kind === '' && !basename(file).startsWith('.'));
  if (!isCode && !prose.has(kind) && !dashboards.test(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((text, index) => {
    const identifiers = [...text.matchAll(/[A-Za-z_$][\w$]*/g)].map(([name]) => name);
    const found = [
      ...matches(
        retiredInNames,
        identifiers.flatMap((name) => wordsOf(name, isCode)),
        file,
      ),
      ...matches(retiredNames, identifiers, file),
      ...retiredPhrases.flatMap(({ word, use, unless }) => {
        const match = unless?.test(file) === true ? null : word.exec(text);
        return match === null ? [] : [{ found: match[0], use }];
      }),
    ];
    return found.map((one) => ({ file, line: index + 1, ...one }));
  });
}

function matches(
  list: readonly RetiredWord[],
  names: readonly string[],
  file: string,
): readonly { readonly found: string; readonly use: string }[] {
  const retiredHere = list.filter(({ unless }) => unless?.test(file) !== true);
  return names.flatMap((name) =>
    retiredHere.filter(({ word }) => word.test(name)).map(({ use }) => ({ found: name, use })),
  );
}

/**
 * Splits `readHTMLPage` into `read`, `html` and `page`. Plain words of prose are not identifiers; the phrases cover
 * them.
 */
function wordsOf(identifier: string, isCode: boolean): readonly string[] {
  // "In-flight row" is the standard term; "flight" alone is not.
  const words = identifier.replace(/in_?flight|strikeout/gi, '').match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  const isName =
    words.length > 1 || (isCode && /^(lanes?|strikes?|strays?|census|moment|mend|judge)$/i.test(identifier));
  return isName ? words.map((word) => word.toLowerCase()) : [];
}
