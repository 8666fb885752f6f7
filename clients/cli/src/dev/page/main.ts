import { formatCount } from '../../format-amounts.ts';
import type { CaseState, Catalog } from '../messages.ts';
import { createDataEditor } from './data-editor.ts';
import { byId, create } from './elements.ts';
import { createPagesView, type Position, type Zoom } from './pages-view.ts';
import { showProblems } from './problems-view.ts';
import { keep, recall } from './stored.ts';

const templates = byId('template', HTMLSelectElement);
const cases = byId('case', HTMLSelectElement);
const status = byId('status', HTMLElement);
const position = byId('position', HTMLOutputElement);
const fit = byId('fit', HTMLButtonElement);
const switcher = byId('switch', HTMLButtonElement);

let catalog: Catalog | undefined;
let current: CaseState | undefined;
let shownId: string | undefined;
let events: EventSource | undefined;

// Only the first request needs the token; it must not stay in the history.
history.replaceState(null, '', `/${location.hash}`);

const pages = createPagesView(() => {
  const count = current?.pages?.pageCount ?? 0;
  const place = pages.position();
  position.textContent = count === 0 ? '–' : `Page ${place.page + 1} of ${count}`;
  fit.textContent = pages.zoom() === 'fit' ? 'Fit' : `${Math.round(pages.scale() * 100)} %`;
  if (current !== undefined && pages.count() > 0) keep(`place ${location.hash}`, place);
});
const editor = createDataEditor();

function hashOf(template: string, name: string): string {
  return `#${new URLSearchParams({ template, name })}`;
}

function wanted(): { readonly template: string; readonly name: string } {
  const given = new URLSearchParams(location.hash.slice(1));
  return { template: given.get('template') ?? '', name: given.get('name') ?? '' };
}

function setStatus(state: string, text: string): void {
  status.dataset.state = state;
  status.textContent = text;
}

function fill(select: HTMLSelectElement, names: readonly string[], chosen: string): void {
  select.replaceChildren(
    ...names.map((name) => {
      const option = create('option', name);
      option.value = name;
      return option;
    }),
  );
  select.value = chosen;
}

function showChoice(): void {
  if (catalog === undefined) return;
  const template = current?.template ?? wanted().template;
  const listed = catalog.templates.find(({ name }) => name === template);
  fill(
    templates,
    catalog.templates.map(({ name }) => name),
    template,
  );
  fill(cases, listed?.cases ?? [], current?.name ?? '');
}

function receiveCatalog(next: Catalog): void {
  const wasEmpty = catalog?.templates.length === 0;
  catalog = next;
  document.title = `${next.folder} – Docmill dev`;
  showChoice();
  if (next.problem !== null) {
    setStatus('failed', 'The folder has a mistake.');
    showProblems({ problems: [{ message: next.problem }], warnings: [] }, editor.select);
  } else if (next.templates.length === 0) {
    setStatus('failed', `There is no .docx file in ${next.folder}.`);
    pages.clear('Put a Word document with tags such as {name} into the folder. It appears here.');
  } else if (wasEmpty) {
    // The stream was opened without a case.
    connect();
  } else if (current !== undefined) showProblems(current, editor.select);
}

function describe(state: CaseState): string {
  const count = state.pages?.pageCount ?? 0;
  switch (state.status) {
    case 'rendering':
      return 'Rendering…';
    case 'shown': {
      const shown = count > pages.count() && pages.count() > 0 ? `, the first ${pages.count()} shown` : '';
      return `${formatCount(count, 'page')} in ${state.pages?.durationMs ?? 0} ms${shown}`;
    }
    case 'failed':
      return state.pages === null ? 'No pages yet' : 'The pages are those before the mistake';
    default:
      return `${state.message ?? ''} Next attempt in ${Math.ceil((state.retryInMs ?? 0) / 1_000)} s.`;
  }
}

function receiveCase(state: CaseState): void {
  const isOther = current?.template !== state.template || current.name !== state.name;
  current = state;
  if (isOther) {
    history.replaceState(null, '', `/${hashOf(state.template, state.name)}`);
    showChoice();
    shownId = undefined;
    pages.clear('The pages appear here.');
    const place = recall(`place ${location.hash}`) as Position | undefined;
    if (place !== undefined) pages.restore(place);
  }
  setStatus(state.status, describe(state));
  if (catalog?.problem == null) showProblems(state, editor.select);
  pages.setOutdated(state.status === 'failed');
  editor.follow(state);
  if (state.pages === null || state.pages.id === shownId) return;
  shownId = state.pages.id;
  pages.show(`/pages/${state.pages.id}`).then(
    () => current === state && setStatus(state.status, describe(state)),
    // A newer render replaced it, or the connection ended; the next event brings pages.
    () => {
      if (shownId === state.pages?.id) shownId = undefined;
    },
  );
}

function connect(): void {
  events?.close();
  const own = new EventSource(`/events?${new URLSearchParams(wanted())}`);
  events = own;
  own.addEventListener('catalog', ({ data }) => receiveCatalog(JSON.parse(data) as Catalog));
  own.addEventListener('case', ({ data }) => receiveCase(JSON.parse(data) as CaseState));
  own.addEventListener('error', () => {
    const isOver = own.readyState === EventSource.CLOSED;
    const again = 'Start it again, and open the address that it prints.';
    setStatus('lost', `docmill dev does not answer. ${isOver ? again : 'Connecting again…'}`);
  });
}

function choose(template: string, name: string): void {
  history.replaceState(null, '', `/${hashOf(template, name)}`);
  connect();
}

function go(direction: 1 | -1): void {
  const { page, share } = pages.position();
  // Going up from the middle of a page leads to its top.
  const target = direction === 1 ? page + 1 : share > 0.05 ? page : page - 1;
  pages.goTo({ page: Math.min(Math.max(target, 0), pages.count() - 1), share: 0 });
}

function zoomTo(change: () => void): void {
  change();
  keep('zoom', pages.zoom());
}

function onClick(id: string, action: () => void): void {
  byId(id, HTMLButtonElement).addEventListener('click', action);
}

templates.addEventListener('change', () => {
  const listed = catalog?.templates.find(({ name }) => name === templates.value);
  choose(templates.value, listed?.cases[0] ?? '');
});
cases.addEventListener('change', () => choose(templates.value, cases.value));
onClick('previous', () => go(-1));
onClick('next', () => go(1));
onClick('smaller', () => zoomTo(() => pages.step(-1)));
onClick('larger', () => zoomTo(() => pages.step(1)));
onClick('fit', () => zoomTo(() => pages.setZoom(pages.zoom() === 'fit' ? 1 : 'fit')));
onClick('again', () => {
  if (current === undefined) return;
  const { template, name } = current;
  void fetch('/render', { method: 'POST', body: JSON.stringify({ template, name }) }).catch(() => undefined);
});
onClick('switch', () => {
  const isData = document.body.dataset.view !== 'data';
  document.body.dataset.view = isData ? 'data' : 'pages';
  switcher.setAttribute('aria-pressed', String(isData));
});
addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 's') {
    event.preventDefault();
    void editor.save();
    return;
  }
  const isTyping = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLSelectElement;
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const actions: Readonly<Record<string, () => void>> = {
    '+': () => zoomTo(() => pages.step(1)),
    '-': () => zoomTo(() => pages.step(-1)),
    '0': () => zoomTo(() => pages.setZoom('fit')),
    n: () => go(1),
    p: () => go(-1),
  };
  actions[event.key]?.();
});

pages.setZoom((recall('zoom') as Zoom | undefined) ?? 'fit');
connect();
