import type { ConsoleProblem } from './console-problem.ts';

interface StyleSheet {
  readonly file: string;
  readonly source: string;
}

interface Selector {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** The first class of each compound selector: `card` and `badge` in `.card > .badge.good`. */
  readonly classes: readonly string[];
  /** The other classes of compound selectors: `good`. */
  readonly modifiers: readonly string[];
}

/** Styles of every page. Only these may select elements without a class. */
const isCommon = (file: string): boolean => file.startsWith('src/console/styles/');
/** Components that several pages show. Pages may position them, in selectors that begin with a class of their own. */
const isShared = (file: string): boolean => isCommon(file) || /^src\/console\/(ui|pdf|json-editor)\//.test(file);

/**
 * Finds styles that affect other pages. A page's styles are loaded when it is opened and never unloaded, so a class
 * styled in two files would look different after visiting each page. Every selector must therefore begin with a class,
 * and every class may begin selectors in only one file.
 */
export function checkStyles(sheets: readonly StyleSheet[]): readonly ConsoleProblem[] {
  const selectors = sheets.flatMap(readSelectors);
  const owners = new Map<string, string>();
  for (const { file, classes } of selectors) {
    const [first] = classes;
    if (first !== undefined && !owners.has(first)) owners.set(first, file);
  }
  return selectors.flatMap(({ file, line, text, classes: [first, ...others], modifiers }) => {
    const report = (problem: string): ConsoleProblem[] => [{ file, line, problem: `${text}: ${problem}` }];
    if (first === undefined) return isCommon(file) ? [] : report("a page's selector must begin with a class");
    const owner = owners.get(first);
    if (owner !== file) return report(`.${first} is already styled in ${owner}`);
    for (const name of others) {
      const other = owners.get(name) ?? file;
      if (other !== file && !isShared(other)) return report(`.${name} is already styled in ${other}`);
    }
    const modifier = modifiers.find((name) => owners.has(name));
    return modifier === undefined ? [] : report(`.${modifier} is already a class in ${owners.get(modifier)}`);
  });
}

function readSelectors({ file, source }: StyleSheet): readonly Selector[] {
  const css = source.replace(/\/\*.*?\*\//gs, (comment) => comment.replace(/[^\n]/g, ' '));
  return Array.from(css.matchAll(/[^{};]+(?=\{)/g)).flatMap(({ 0: rule, index }) => {
    if (rule.trim().startsWith('@')) return [];
    const line = css.slice(0, index + rule.length - rule.trimStart().length).split('\n').length;
    return splitAtCommas(rule).map((text): Selector => {
      const compounds = text
        .split(/[\s>+~()]+/)
        .map((part) => Array.from(part.matchAll(/\.([\w-]+)/g), ([, name = '']) => name));
      return {
        file,
        line,
        text,
        classes: compounds.flatMap(([first]) => first ?? []),
        modifiers: compounds.flatMap(([, ...rest]) => rest),
      };
    });
  });
}

/** The selectors of a list; ignores commas inside parentheses. */
const splitAtCommas = (list: string): readonly string[] =>
  list
    .split(/,(?![^(]*\))/)
    .map((selector) => selector.trim())
    .filter((selector) => !/^(from|to|\d+%)$/.test(selector));
