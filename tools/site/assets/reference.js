// The samples one language at a time, and a form that sends each operation. Without scripts, all samples are shown.
const languageName = 'docmill.language';
const serviceUrl = new URL(`${document.querySelector('button.search').dataset.root}/../`, location.href);

// Addresses of the former reference, such as #/Documents/generateDocument.
const [, tag, operationId] = /^#\/(\w+)\/(\w+)$/.exec(location.hash) ?? [];
if (tag !== undefined) location.replace(`${tag.toLowerCase()}.html#${operationId}`);

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** The blocks of samples that follow each other, each list for one operation. */
function sampleGroups() {
  const groups = [];
  for (const block of document.querySelectorAll('.code:has([data-sample])')) {
    const last = groups.at(-1);
    if (last?.at(-1) === block.previousElementSibling) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

const languageOf = (block) => block.querySelector('[data-sample]').dataset.sample;
const groups = sampleGroups();

function show(language) {
  for (const group of groups) {
    const shown = group.find((block) => languageOf(block) === language) ?? group[0];
    for (const block of group) block.hidden = block !== shown;
  }
  for (const button of document.querySelectorAll('.languages button'))
    button.setAttribute('aria-pressed', String(button.textContent === language));
}

for (const group of groups) {
  const buttons = group.map((block) => element('button', { type: 'button', textContent: languageOf(block) }));
  for (const button of buttons) {
    button.addEventListener('click', () => {
      localStorage.setItem(languageName, button.textContent);
      show(button.textContent);
    });
  }
  const bar = element(
    'div',
    { className: 'languages', role: 'group', ariaLabel: 'Language of the samples' },
    ...buttons,
  );
  group[0].before(bar);
}
show(localStorage.getItem(languageName) ?? 'curl');

/** The key stays in this page and is gone when it is left. */
let key = '';
let openApi;

function loadOpenApi() {
  openApi ??= fetch(new URL('openapi.json', serviceUrl)).then((response) => {
    if (!response.ok) throw new Error(`The service responded with ${response.status} to the request for openapi.json.`);
    return response.json();
  });
  openApi.catch(() => {
    openApi = undefined;
  });
  return openApi;
}

for (const block of document.querySelectorAll('[data-operation]')) {
  const button = element('button', { type: 'button', className: 'try', textContent: 'Try it' });
  block.closest('.code').after(button);
  button.addEventListener('click', async () => {
    try {
      const form = writeForm(findOperation(await loadOpenApi(), block.dataset.operation));
      button.replaceWith(form);
      form.querySelector('input, textarea, button').focus();
    } catch (error) {
      button.after(element('p', { role: 'alert', textContent: error.message }));
    }
  });
}

function findOperation({ paths }, id) {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === id) return { ...operation, path, method: method.toUpperCase() };
    }
  }
  throw new Error('The service no longer has this operation. Load the page again.');
}

function writeForm(operation) {
  const label = (text, input) => element('label', {}, element('span', { textContent: text }), input);
  const keyInput = element('input', { type: 'password', autocomplete: 'off', value: key, required: true });
  const parameters = (operation.parameters ?? [])
    .filter(({ in: place }) => place !== 'header')
    .map((parameter) => ({
      ...parameter,
      input: element('input', { required: parameter.required === true, placeholder: exampleOf(parameter) }),
    }));
  const content = operation.requestBody?.content ?? {};
  const json = content['application/json'];
  const body =
    json && element('textarea', { rows: 10, spellcheck: false, value: JSON.stringify(json.example, null, 2) });
  const parts = Object.entries(json ? {} : (content['multipart/form-data']?.example ?? {})).map(([name, value]) => ({
    name,
    input: element('input', name === 'file' ? { type: 'file' } : { value: String(value) }),
  }));
  const send = element('button', { type: 'submit', textContent: 'Send' });
  const answer = element('div', { className: 'answer', role: 'status' });
  const form = element(
    'form',
    { className: 'request', ariaLabel: `Send ${operation.method} ${operation.path}` },
    element('p', { textContent: 'This sends a real request to this service. A test key (dts_test_…) costs nothing.' }),
    label('API key', keyInput),
    ...[...parameters, ...parts].map(({ name, input }) => label(name, input)),
    ...(body ? [label('Body', body)] : []),
    send,
    answer,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    key = keyInput.value.trim();
    send.disabled = true;
    try {
      const startedAt = performance.now();
      const response = await fetch(addressOf(operation, parameters), {
        method: operation.method,
        ...requestBody(body, parts),
        headers: { Authorization: `Bearer ${key}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      });
      const file = await response.blob();
      answer.replaceChildren(...(await describe(response, file, performance.now() - startedAt)));
    } catch (error) {
      answer.replaceChildren(element('p', { textContent: `The request could not be sent: ${error.message}` }));
    } finally {
      send.disabled = false;
    }
  });
  return form;
}

const exampleOf = ({ example, schema }) => String(example ?? schema?.example ?? '');

function addressOf({ path }, parameters) {
  const filled = parameters
    .filter(({ in: place }) => place === 'path')
    .reduce((text, { name, input }) => text.replace(`{${name}}`, encodeURIComponent(input.value)), path);
  const address = new URL(filled.slice(1), serviceUrl);
  for (const { in: place, name, input } of parameters)
    if (place === 'query' && input.value !== '') address.searchParams.set(name, input.value);
  return address;
}

function requestBody(body, parts) {
  if (body) return { body: body.value };
  if (parts.length === 0) return {};
  const form = new FormData();
  for (const { name, input } of parts) {
    if (input.type !== 'file') form.append(name, input.value);
    else if (input.files[0]) form.append(name, input.files[0]);
  }
  return { body: form };
}

async function describe(response, file, ms) {
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const status = element('p', { textContent: `${response.status} ${response.statusText}, ${Math.round(ms)} ms` });
  return [status, codeBlock(headers), await writeFileOrText(file)];
}

async function writeFileOrText(file) {
  if (file.size === 0) return element('p', { textContent: 'The body is empty.' });
  if (/json|^text\//.test(file.type)) {
    const text = await file.text();
    try {
      return codeBlock(JSON.stringify(JSON.parse(text), null, 2));
    } catch {
      return codeBlock(text);
    }
  }
  const link = element('a', { href: URL.createObjectURL(file), download: '', textContent: 'Save the file' });
  return element('p', {}, link, ` (${file.type}, ${file.size.toLocaleString()} bytes)`);
}

function codeBlock(text) {
  return element('pre', { tabIndex: 0 }, element('code', { textContent: text }));
}
