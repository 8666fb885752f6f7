import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { jsonLanguage } from '@codemirror/lang-json';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
  LanguageSupport,
} from '@codemirror/language';
import { type Diagnostic, forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { createDataCheck, type DataProblem } from './check-data.ts';
import { completeFromSchema } from './complete-json.ts';
import { editorTheme } from './editor-theme.ts';
import { type JsonPath, placeOf, readPlaces } from './json-text.ts';
import { parseData } from './parse-data.ts';
import { typeOverSelection } from './type-over-selection.ts';

export interface EditorHandle {
  /** Applies only the difference, so that the cursor and the history stay. */
  readonly setText: (text: string) => void;
  readonly setProblems: (problems: readonly DataProblem[]) => void;
  readonly goTo: (path: JsonPath) => void;
  readonly close: () => void;
}

interface EditorOptions {
  readonly text: string;
  readonly label: string;
  readonly schema: object | undefined;
  readonly onChange: (text: string) => void;
}

/** Larger texts are only read when the user pauses. */
const largeLength = 100_000;
const pauseMs = 250;
/** Longer texts are not checked against the schema during typing; the service checks them. */
const maxCheckedLength = 1_000_000;

/**
 * Creates an editor in a shadow root, where its styles are constructed style sheets, which the Content-Security-Policy
 * allows.
 */
export function createEditor(root: ShadowRoot, options: EditorOptions): EditorHandle {
  const { label, schema, onChange } = options;
  let problems: readonly DataProblem[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The text that was last reported or set. */
  let known = options.text;

  const report = (): void => {
    timer = undefined;
    const text = view.state.doc.toString();
    if (text === known) return;
    known = text;
    onChange(text);
  };
  const check = schema === undefined ? undefined : createDataCheck(schema);
  const lint = (): Diagnostic[] => {
    const text = view.state.doc.toString();
    const parsed = parseData(text);
    if ('problem' in parsed) {
      const from = Math.min(parsed.offset, Math.max(0, text.length - 1));
      return [{ from, to: Math.min(text.length, from + 1), severity: 'error', message: parsed.problem }];
    }
    const found = text.length > maxCheckedLength ? [] : (check?.(parsed.value) ?? []);
    if (found.length + problems.length === 0) return [];
    const places = readPlaces(text);
    const toDiagnostic =
      (severity: 'warning' | 'error') =>
      ({ path, message }: DataProblem): Diagnostic => ({ ...placeOf(places, path), severity, message });
    return [...problems.map(toDiagnostic('error')), ...found.map(toDiagnostic('warning'))];
  };

  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of('  '),
        bracketMatching(),
        closeBrackets(),
        typeOverSelection,
        highlightActiveLine(),
        new LanguageSupport(jsonLanguage),
        autocompletion(schema === undefined ? {} : { override: [completeFromSchema(schema)] }),
        linter(lint, { delay: 400 }),
        lintGutter(),
        // Tab leaves the editor, like any other field.
        keymap.of([
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          ...foldKeymap,
          ...completionKeymap,
          ...lintKeymap,
        ]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (!docChanged) return;
          clearTimeout(timer);
          timer = setTimeout(report, state.doc.length > largeLength ? pauseMs : 0);
        }),
        editorTheme,
      ],
    }),
  });

  return {
    setText(text) {
      if (text === known) return;
      clearTimeout(timer);
      known = text;
      const before = view.state.doc.toString();
      if (before !== text) view.dispatch({ changes: difference(before, text) });
    },
    setProblems(next) {
      if (problems.length + next.length === 0) return;
      problems = next;
      forceLinting(view);
    },
    goTo(path) {
      const { from, to } = placeOf(readPlaces(view.state.doc.toString()), path);
      view.dispatch({
        selection: { anchor: from, head: to },
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
      });
      view.focus();
    },
    close() {
      if (timer !== undefined) {
        clearTimeout(timer);
        report();
      }
      view.destroy();
    },
  };
}

/** The single change between two texts: what lies between their common prefix and suffix. */
function difference(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
