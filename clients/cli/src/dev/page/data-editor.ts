import { checkJsonObject } from '../check-json.ts';
import type { CaseData, CaseState, SaveAnswer, SaveRequest } from '../messages.ts';
import { byId } from './elements.ts';
import { keep, recall } from './stored.ts';

interface Draft {
  readonly text: string;
  readonly basedOn: string | null;
}

type Selection = Pick<CaseState, 'template' | 'name'>;

const area = byId('data', HTMLTextAreaElement);
const file = byId('data-file', HTMLElement);
const problem = byId('data-problem', HTMLElement);
const conflict = byId('conflict', HTMLElement);
const onDisk = byId('on-disk', HTMLTextAreaElement);
const saveButton = byId('save', HTMLButtonElement);
const discardButton = byId('discard', HTMLButtonElement);

/** The editor of the data. Unsaved text is kept in the tab until it is saved or discarded. */
export function createDataEditor() {
  let selection: Selection | undefined;
  /** The content of the file as last seen by this page. */
  let base: CaseData = { text: '', version: null };
  let latest = 0;

  const query = () => new URLSearchParams({ template: selection?.template ?? '', name: selection?.name ?? '' });
  const draftKey = () => `draft ${query()}`;
  const isDirty = () => selection !== undefined && area.value !== base.text;

  const note = (text: string, isBad = false) => {
    problem.textContent = text;
    problem.dataset.state = isBad ? 'bad' : 'good';
  };

  const update = () => {
    const found = checkJsonObject(area.value);
    const dirty = isDirty();
    const where = found?.line === undefined ? '' : ` Line ${found.line}, column ${found.column ?? 1}.`;
    note(found === undefined ? (dirty ? 'Not saved yet.' : '') : found.message + where, found !== undefined);
    area.setAttribute('aria-invalid', String(found !== undefined));
    // Invalid JSON may be saved, too, so that no input is lost.
    saveButton.disabled = !dirty && base.version !== null;
    discardButton.disabled = !dirty;
    keep(draftKey(), dirty ? ({ text: area.value, basedOn: base.version } satisfies Draft) : undefined);
  };

  const setText = (text: string) => {
    // Setting the same text would move the cursor to the end.
    if (area.value !== text) {
      const { selectionStart, scrollTop } = area;
      area.value = text;
      area.setSelectionRange(selectionStart, selectionStart);
      area.scrollTop = scrollTop;
    }
    update();
  };

  const offerBoth = (current: CaseData) => {
    onDisk.value = current.text;
    onDisk.dataset.version = current.version ?? '';
    conflict.hidden = false;
  };

  const versionOnDisk = () => (onDisk.dataset.version === '' ? null : (onDisk.dataset.version ?? null));

  const receive = (current: CaseData) => {
    if (!isDirty() || area.value === current.text) {
      base = current;
      conflict.hidden = true;
      setText(current.text);
    } else if (current.version !== base.version) offerBoth(current);
    else {
      base = current;
      update();
    }
  };

  const load = async () => {
    latest += 1;
    const own = latest;
    const response = await fetch(`/data?${query()}`);
    if (!response.ok || own !== latest) return;
    const current = (await response.json()) as CaseData;
    if (own === latest) receive(current);
  };

  const save = async () => {
    if (selection === undefined) return;
    const own = selection;
    const text = area.value;
    const body: SaveRequest = { template: own.template, name: own.name, text, basedOn: base.version };
    note('Saving…');
    const answer = await fetch('/data', { method: 'PUT', body: JSON.stringify(body) })
      .then(async (response) => (await response.json()) as SaveAnswer)
      .catch((): SaveAnswer => ({ error: 'docmill dev does not answer. What you typed is kept in this tab.' }));
    if (own !== selection) return;
    if ('error' in answer) return note(`Not saved: ${answer.error}`, true);
    if ('current' in answer) {
      offerBoth(answer.current);
      return note('Not saved: the file changed on disk.', true);
    }
    base = answer.saved;
    conflict.hidden = true;
    update();
    if (!isDirty()) note('Saved.');
  };

  area.addEventListener('input', update);
  saveButton.addEventListener('click', () => void save());
  discardButton.addEventListener('click', () => {
    conflict.hidden = true;
    setText(base.text);
    void load();
  });
  byId('format', HTMLButtonElement).addEventListener('click', () => {
    if (checkJsonObject(area.value) !== undefined) return;
    setText(`${JSON.stringify(JSON.parse(area.value), null, 2)}\n`);
  });
  byId('take-disk', HTMLButtonElement).addEventListener('click', () => {
    base = { text: onDisk.value, version: versionOnDisk() };
    conflict.hidden = true;
    setText(base.text);
    area.focus();
  });
  byId('keep-mine', HTMLButtonElement).addEventListener('click', () => {
    base = { text: onDisk.value, version: versionOnDisk() };
    void save();
  });
  addEventListener('beforeunload', (event) => {
    if (isDirty()) event.preventDefault();
  });

  return {
    save,
    /** Shows the data of this case, and follows changes of the file unless there is unsaved text. */
    follow(state: CaseState) {
      file.textContent = state.dataVersion === null ? `${state.dataFile} (not there yet: an example)` : state.dataFile;
      const isSame = selection?.template === state.template && selection.name === state.name;
      if (isSame && state.dataVersion === base.version) return;
      if (!isSame) {
        selection = { template: state.template, name: state.name };
        conflict.hidden = true;
        const draft = recall(draftKey()) as Draft | undefined;
        base = { text: '', version: draft?.basedOn ?? null };
        area.value = draft?.text ?? '';
      }
      void load();
    },
    /** Moves the cursor to a position, counted from 1. */
    select(line: number, column: number) {
      const before = area.value.split('\n').slice(0, line - 1);
      const start = before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
      area.focus();
      area.setSelectionRange(start, start + 1);
    },
  };
}
