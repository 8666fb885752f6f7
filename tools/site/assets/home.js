for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin;

const state = document.querySelector('[data-state]');

function show(name, text) {
  state.dataset.state = name;
  state.textContent = text;
}

fetch('/readyz')
  .then((response) =>
    response.ok
      ? show('ready', 'This service is ready')
      : show('unavailable', 'This service is not ready: a dependency does not respond'),
  )
  .catch(() => show('unavailable', 'This service does not respond'));
