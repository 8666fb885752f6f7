const dark = matchMedia('(prefers-color-scheme: dark)');
const applyScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyScheme);
applyScheme();

/** Shows the samples of an operation (`x-codeSamples`) before its parameters, one language at a time. */
function codeSamples({ React }) {
  const chosen = { language: 'curl', listeners: new Set() };
  const choose = (language) => {
    chosen.language = language;
    for (const listener of chosen.listeners) listener();
  };
  const e = React.createElement;

  function Samples({ samples }) {
    const [language, setLanguage] = React.useState(chosen.language);
    React.useEffect(() => {
      const update = () => setLanguage(chosen.language);
      chosen.listeners.add(update);
      return () => chosen.listeners.delete(update);
    }, []);
    const tabs = samples.map(({ label }) =>
      e(
        'button',
        { key: label, type: 'button', 'aria-pressed': label === language, onClick: () => choose(label) },
        label,
      ),
    );
    const shown = samples.find(({ label }) => label === language) ?? samples[0];
    return e(
      'section',
      { className: 'code-samples', 'aria-label': 'Samples' },
      e('div', { className: 'code-samples-tabs' }, e('h4', null, 'Samples'), ...tabs),
      e('pre', null, e('code', null, shown.source)),
    );
  }

  return {
    wrapComponents: {
      parameters: (Parameters) => (properties) => {
        const samples = properties.specSelectors
          .specJson()
          .getIn([...properties.specPath.slice(0, 3), 'x-codeSamples']);
        return e(
          React.Fragment,
          null,
          samples === undefined ? null : e(Samples, { samples: samples.toJS() }),
          e(Parameters, properties),
        );
      },
    },
  };
}

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelRendering: 'model',
  defaultModelExpandDepth: 3,
  displayRequestDuration: true,
  tryItOutEnabled: false,
  persistAuthorization: false,
  plugins: [codeSamples],
});
