/** Style of the report. */
export const style = `
:root { color-scheme: light dark; --line: #d9dce3; --soft: #f5f6f8; --bad: #b42318; --good: #067647; --muted: #667085 }
@media (prefers-color-scheme: dark) { :root { --line: #344054; --soft: #1d2530; --bad: #f97066; --good: #47cd89; --muted: #98a2b3 } }
* { box-sizing: border-box }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; padding: 1.5rem; max-width: 1500px }
h1 { font-size: 1.5rem; margin: 0 } h1 span { color: var(--muted) } h3 { margin: 1.2rem 0 .4rem; font-size: 1rem } small, .facts { color: var(--muted); font-weight: normal }
header p { margin: .3rem 0 1rem; color: var(--muted) }
.tiles { display: flex; gap: .75rem } .tile { border: 1px solid var(--line); border-radius: 8px; padding: .5rem 1rem } .tile b { font-size: 1.5rem; margin-right: .3rem }
.tile.different b, .tile.failed b, .different .outcome, .failed .outcome, .exceeded { color: var(--bad) } .tile.equal b, .equal .outcome { color: var(--good) } .exceeded { font-weight: 600 }
nav { position: sticky; top: 0; background: Canvas; padding: .8rem 0; display: flex; gap: .6rem; align-items: center; z-index: 1 }
input, select { font: inherit; padding: .35rem .6rem; border: 1px solid var(--line); border-radius: 6px; background: Canvas; color: CanvasText } input { width: 20rem } output { color: var(--muted) }
table { border-collapse: collapse; width: 100% } th { text-align: left; font-size: .8rem; color: var(--muted) } th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; font-variant-numeric: tabular-nums }
.case:hover, .case:has([aria-expanded=true]) { background: var(--soft) }
button { all: unset; cursor: pointer; word-break: break-all } button:focus-visible { outline: 2px solid Highlight } button::before { content: "▸ "; color: var(--muted) } button[aria-expanded=true]::before { content: "▾ " }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .3rem 0 } dt { color: var(--muted) } dd { margin: 0; overflow-wrap: anywhere }
.pictures { display: grid; grid-template-columns: repeat(3, 1fr); gap: 1rem } figure { margin: 0 } figcaption { color: var(--muted); font-size: .85rem } img { width: 100%; border: 1px solid var(--line); background: #fff }
`;

/** Filters and expands rows. Pictures load when their row is expanded. */
export const script = `
const [text, outcome, measure, shown] = ['text', 'outcome', 'measure', 'shown'].map((id) => document.getElementById(id));
const cases = [...document.querySelectorAll('tbody')];
function filter() {
  let count = 0;
  for (const one of cases) {
    const { title, outcome: own, exceeded } = one.dataset;
    const isShown = title.includes(text.value.toLowerCase()) && (!outcome.value || outcome.value === own) &&
      (!measure.value || exceeded.split('|').includes(measure.value));
    one.hidden = !isShown;
    count += isShown;
  }
  shown.value = count + ' of ' + cases.length;
}
for (const control of [text, outcome, measure]) control.addEventListener('input', filter);
document.querySelector('table').addEventListener('click', ({ target }) => {
  const button = target.closest('button');
  if (!button) return;
  const detail = button.closest('tbody').querySelector('.detail');
  detail.hidden = !detail.hidden;
  button.setAttribute('aria-expanded', String(!detail.hidden));
});
filter();
`;
