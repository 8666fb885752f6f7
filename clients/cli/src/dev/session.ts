import type { Docmill } from '@docmill/client';
import { type CaseRunner, createCaseRunner, type ReadCase } from './case-runner.ts';
import { createInspector } from './inspect-template.ts';
import type { CaseData, CaseState, Catalog, SaveAnswer, SaveRequest } from './messages.ts';
import { checksum, FileProblem, readData, readTemplate } from './read-case.ts';
import { renderCase } from './render-case.ts';
import { saveData } from './save-data.ts';
import { type DevCase, readWorkspace, shownPath, type Workspace } from './workspace.ts';

export interface Listener {
  readonly catalog: (catalog: Catalog) => void;
  readonly state: (state: CaseState) => void;
}

interface Selection {
  readonly template: string;
  readonly name: string;
}

interface SessionOptions {
  /** The real path of the folder. */
  readonly root: string;
  /** The folder and the service as the user names them. */
  readonly folder: string;
  readonly service: string;
  readonly docmill: Docmill;
  readonly signal: AbortSignal;
  /** Called with the final state of each render, and with each pause. */
  readonly onSettled: (state: CaseState) => void;
}

interface Open {
  one: DevCase;
  readonly runner: CaseRunner;
  readonly listeners: Set<Listener>;
}

/** The number of cases whose pages are kept while no page shows them. */
const keptCases = 8;

export type Session = Awaited<ReturnType<typeof openSession>>;

/** The folder, and those of its cases that are shown. */
export async function openSession(options: SessionOptions) {
  const { root, folder, service, docmill, signal, onSettled } = options;
  const inspect = createInspector(docmill);
  const open = new Map<string, Open>();
  const listeners = new Set<Listener>();
  let workspace = await readWorkspace(root);

  const find = ({ template, name }: Selection): DevCase | undefined =>
    workspace.cases.find((one) => one.template === template && one.name === name);

  const catalog = (): Catalog => {
    const templates = new Map<string, string[]>();
    for (const { template, name } of workspace.cases) {
      const names = templates.get(template) ?? [];
      templates.set(template, [...names, name]);
    }
    const listed = Array.from(templates, ([name, cases]) => ({ name, cases }));
    return { folder, service, templates: listed, problem: workspace.problem };
  };

  const dataOf = async (one: DevCase, template?: Uint8Array<ArrayBuffer>): Promise<CaseData> => {
    const found = await readData(root, one);
    if (found !== undefined) return found;
    const { example } = await inspect(
      { template: template ?? (await readTemplate(root, one)), delimiters: one.delimiters },
      signal,
    );
    return { text: example ?? '{}\n', version: null };
  };

  const readFiles = async (selection: Selection): Promise<ReadCase> => {
    const one = find(selection);
    if (one === undefined) throw new FileProblem(`${selection.template} / ${selection.name} is missing.`);
    const template = await readTemplate(root, one);
    const data = await dataOf(one, template);
    const files = { template, data: data.text, output: one.output, delimiters: one.delimiters };
    return {
      fingerprint: checksum(
        [checksum(template), checksum(data.text), JSON.stringify(one.output), one.delimiters].join(),
      ),
      dataVersion: data.version,
      render: (ended) => renderCase({ docmill, inspect }, files, ended),
    };
  };

  const openCase = (one: DevCase): Open => {
    const key = keyOf(one);
    const known = open.get(key);
    if (known !== undefined) return known;
    const runner = createCaseRunner(
      () => readFiles(one),
      (state) => {
        // A render interrupted by Ctrl-C is not an error of the template.
        if (signal.aborted) return;
        const whole = toState(opened, state);
        for (const listener of opened.listeners) listener.state(whole);
        if (state.status !== 'rendering') onSettled(whole);
      },
    );
    const opened: Open = { one, runner, listeners: new Set() };
    open.set(key, opened);
    return opened;
  };

  const toState = ({ one }: Open, state: ReturnType<CaseRunner['state']>): CaseState => ({
    ...state,
    template: one.template,
    name: one.name,
    dataFile: shownPath(root, one.dataPath),
  });

  const forgetOldest = () => {
    for (const [key, { runner, listeners: present }] of open) {
      if (open.size <= keptCases) return;
      if (present.size > 0) continue;
      open.delete(key);
      void runner.stop();
    }
  };

  return {
    catalog,
    find,
    workspace: (): Workspace => workspace,
    /** Rereads the folder, and renders the shown cases that have changed. */
    async refresh(): Promise<void> {
      workspace = await readWorkspace(root).catch((error: unknown) => ({
        ...workspace,
        problem: error instanceof Error ? error.message : String(error),
      }));
      const listed = catalog();
      for (const listener of listeners) listener.catalog(listed);
      for (const opened of open.values()) {
        opened.one = find(opened.one) ?? opened.one;
        if (opened.listeners.size > 0) opened.runner.request();
      }
    },
    /**
     * Reports the catalog and the case (the first one if the name is unknown) until the returned function is called.
     */
    subscribe(selection: Selection, listener: Listener): () => void {
      listeners.add(listener);
      listener.catalog(catalog());
      const one = find(selection) ?? workspace.cases[0];
      const opened = one === undefined ? undefined : openCase(one);
      if (opened !== undefined) {
        opened.listeners.add(listener);
        listener.state(toState(opened, opened.runner.state()));
        opened.runner.request();
      }
      return () => {
        listeners.delete(listener);
        opened?.listeners.delete(listener);
        forgetOldest();
      };
    },
    /** Renders again, even if nothing has changed. */
    renderAgain(selection: Selection): void {
      open.get(keyOf(selection))?.runner.request(true);
    },
    pdf(id: string): Uint8Array | undefined {
      for (const { runner } of open.values()) {
        const found = runner.pdf(id);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    data: dataOf,
    async save({ text, basedOn }: SaveRequest, one: DevCase): Promise<SaveAnswer> {
      const answer = await saveData(root, one, text, basedOn);
      open.get(keyOf(one))?.runner.request();
      return answer;
    },
    async close(): Promise<void> {
      await Promise.all(Array.from(open.values(), ({ runner }) => runner.stop()));
    },
  };
}

const keyOf = ({ template, name }: Selection): string => JSON.stringify([template, name]);
