import { useEffect, useRef } from 'preact/hooks';
import type { DataProblem } from './check-data.ts';
import type { EditorHandle } from './create-editor.ts';
import type { JsonPath } from './json-text.ts';

interface JsonEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly label: string;
  /** JSON Schema of the value, which enables completion and validation. */
  readonly schema?: object | undefined;
  /** Problems found elsewhere, such as by the service. */
  readonly problems?: readonly DataProblem[];
  /** Moves the cursor there whenever this object changes. */
  readonly target?: { readonly path: JsonPath } | undefined;
}

const noProblems: readonly DataProblem[] = [];

/**
 * A JSON editor with highlighting, completion and inline errors. It is loaded lazily; its page imports
 * `json-editor.css`.
 */
export default function JsonEditor({ text, onChange, label, schema, problems = noProblems, target }: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Promise<EditorHandle | undefined>>();
  const latest = useRef({ text, onChange });
  latest.current = { text, onChange };

  useEffect(() => {
    const created = import('./create-editor.ts').then(({ createEditor }) => {
      const root = host.current?.shadowRoot ?? host.current?.attachShadow({ mode: 'open' });
      // The page was left while the editor was loading.
      if (root === undefined) return undefined;
      const onText = (next: string) => latest.current.onChange(next);
      return createEditor(root, { text: latest.current.text, label, schema, onChange: onText });
    });
    editor.current = created;
    return () => void created.then((handle) => handle?.close());
  }, [label, schema]);
  useEffect(() => void editor.current?.then((handle) => handle?.setText(text)), [text]);
  useEffect(() => void editor.current?.then((handle) => handle?.setProblems(problems)), [problems]);
  useEffect(() => {
    if (target !== undefined) void editor.current?.then((handle) => handle?.goTo(target.path));
  }, [target]);
  return <div class="json-editor" ref={host} />;
}
