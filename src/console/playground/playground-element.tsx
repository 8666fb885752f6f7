import { render } from 'preact';
import editor from '../json-editor/json-editor.css?inline';
import pdf from '../pdf/pdf.css?inline';
import base from '../styles/base.css?inline';
import page from '../styles/page.css?inline';
import tokens from '../styles/tokens.css?inline';
import ui from '../styles/ui.css?inline';
import { EmbeddedPlayground } from './embedded-playground.tsx';
import playground from './playground.css?inline';

/** A key, or a function that returns one, for example by asking the page's server. */
type KeySource = string | (() => string | Promise<string>);

/**
 * `<docmill-playground template="tpl_…" version="3">` embeds the playground in a page of another application. Its
 * property `apiKey` is a key or a function that returns one. The attribute `base` is the address of the service, by
 * default the one that serves this script. It dispatches the events `generated` (`detail`: id and filename) and `error`
 * (`detail.error`).
 */
class DocmillPlayground extends HTMLElement {
  static readonly observedAttributes = ['template', 'version', 'base'];
  #apiKey: KeySource | undefined;
  readonly #root = this.attachShadow({ mode: 'open' });

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [sheet];
  }

  get apiKey(): KeySource | undefined {
    return this.#apiKey;
  }

  set apiKey(source: KeySource | undefined) {
    this.#apiKey = source;
    this.#render();
  }

  connectedCallback(): void {
    // A property set before this script was loaded hides the accessor.
    if (Object.hasOwn(this, 'apiKey')) {
      const early = this.apiKey;
      Reflect.deleteProperty(this, 'apiKey');
      this.#apiKey = early;
    }
    this.#render();
  }

  disconnectedCallback(): void {
    render(null, this.#root);
  }

  attributeChangedCallback(): void {
    this.#render();
  }

  #render(): void {
    if (!this.isConnected) return;
    const version = Number(this.getAttribute('version') ?? Number.NaN);
    render(
      <EmbeddedPlayground
        templateId={this.getAttribute('template') ?? ''}
        version={Number.isInteger(version) && version > 0 ? version : undefined}
        serviceUrl={this.getAttribute('base') ?? serviceAddress}
        apiKey={this.#apiKey}
        onGenerated={(detail) => this.#dispatch('generated', detail)}
        onError={(error) => this.#dispatch('error', { error })}
      />,
      this.#root,
    );
  }

  #dispatch(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

const ownAddress = import.meta.url;
/** This script lies one folder below the service. */
const serviceAddress = new URL('..', ownAddress).href.replace(/\/$/, '');

/** The console's styles, scoped to this element; the embedding page is not affected. */
const sheet = new CSSStyleSheet();
const host = ':host { display: block; background: var(--ground); color: var(--text); }';
const scoped = [tokens, base, ui, page, pdf, editor, playground]
  .join('\n')
  .replace(/:root\[data-theme="(\w+)"\]/g, ':host([theme="$1"])')
  .replaceAll(':root', ':host')
  .replace(/(^|\})\s*body\s*\{/g, '$1:host{');
sheet.replaceSync(`${scoped}\n${host}`);

if (customElements.get('docmill-playground') === undefined) {
  customElements.define('docmill-playground', DocmillPlayground);
}
