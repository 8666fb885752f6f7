const swc = require('@swc/core');

// dependency-cruiser has no option for JSX: it parses every file without it.
const { parseFileSync } = swc;
swc.parseFileSync = (path, options) => parseFileSync(path, { ...options, tsx: path.endsWith('.tsx') });

/** The import directions of docs/design/adr/0001 as rules; each name says what it protects. */
const rule = (name, from, to) => ({ name, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule('no-cycles', {}, { circular: true }),
    rule(
      'no-orphan-dependency',
      {},
      {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
        // A package of this repository, of which the sources are used.
        pathNot: '^(clients/typescript/src/main\\.ts$|packages/(einvoice|layout|word)/src/)',
      },
    ),
    rule('src-without-dev-dependencies', { path: '^(src|packages/[^/]+/src)/' }, { dependencyTypes: ['npm-dev'] }),
    rule(
      'console-on-client-only',
      { path: '^src/console/' },
      { path: '^(src|tools|clients)/', pathNot: '^(src/console|src/shared/cells|clients/typescript/src)/' },
    ),
    // The console has it in the browser.
    rule('cells-stand-alone', { path: '^src/shared/cells/' }, { path: '.', pathNot: '^src/shared/cells/' }),
    rule('nothing-on-console', { path: '^(src|clients)/', pathNot: '^src/console/' }, { path: '^src/console/' }),
    rule('api-without-worker', { path: '^src/api/' }, { path: '^src/(worker|admin)/' }),
    rule('api-without-docx', { path: '^src/api/' }, { path: 'node_modules/(docxtemplater|pizzip)/' }),
    rule(
      'route-without-route',
      { path: '^src/api/routes/' },
      {
        path: '^src/api/routes/',
        pathNot: [
          '-resource\\.ts$',
          '^src/api/routes/(common-schemas|templates/(receive-template|accept-document)|batches/find-batch-template)\\.ts$',
        ],
      },
    ),
    rule('http-below-all-of-api', { path: '^src/api/http/' }, { path: '^src/api/', pathNot: '^src/api/http/' }),
    rule(
      'middleware-on-http-only',
      { path: '^src/api/middleware/' },
      { path: '^src/api/', pathNot: '^src/api/(middleware|http)/' },
    ),
    rule(
      'documents-without-batches',
      { path: '^src/api/documents/' },
      { path: '^src/api/', pathNot: '^src/api/(documents|http|middleware)/' },
    ),
    rule(
      'batches-without-routes',
      { path: '^src/api/batches/' },
      { path: '^src/api/', pathNot: '^src/api/(batches|documents|http|middleware)/' },
    ),
    rule(
      'batch-sources-stand-alone',
      { path: '^src/api/batches/sources/' },
      { path: '^src/api/', pathNot: '^src/api/(batches/sources/|batches/batch-limits\\.ts|http/)' },
    ),
    rule(
      'route-without-infrastructure',
      { path: '^src/api/routes/' },
      {
        path: ['node_modules/(drizzle-orm|bullmq|minio|ioredis|pg)/'],
      },
    ),
    rule('worker-without-api', { path: '^src/worker/' }, { path: ['^src/(api|admin)/', 'node_modules/hono/'] }),
    rule(
      'processor-without-processor',
      { path: '^src/worker/processors/(.+)\\.ts$' },
      {
        path: '^src/worker/processors/',
        pathNot: '^src/worker/processors/$1\\.ts$',
      },
    ),
    rule('processor-without-bullmq', { path: '^src/worker/processors/' }, { path: 'node_modules/bullmq/' }),
    rule(
      'engines-stand-alone',
      { path: '^src/worker/(docx|pdf/office|mail|pdf/merge|pdf/conformance)/' },
      {
        path: '^src/',
        pathNot: [
          '^src/worker/$1/',
          '^src/worker/(supervisor/|einvoice/((inspect|make-document)-invoice|pages/compare-pages)\\.ts$|engine-error\\.ts$|pdf/pdf-file\\.ts$|docx/package/open-package\\.ts$)',
          '^src/shared/(errors|connection-errors|logger|ids|fonts|code-point-set|is-locale|resolve-entry|template-syntax)\\.ts$',
          '^src/shared/(data-schema|document-name|json|output-options)\\.ts$',
        ],
      },
    ),
    rule('word-stands-alone', { path: '^packages/word/src/' }, { path: '.', pathNot: '^packages/word/src/' }),
    rule(
      'einvoice-on-word-only',
      { path: '^packages/einvoice/src/' },
      { path: '^(src|packages|clients|tools|test|bench)/', pathNot: '^packages/(einvoice|word)/src/' },
    ),
    rule(
      'layout-on-word-only',
      { path: '^packages/layout/src/' },
      { path: '^(src|packages|clients|tools|test|bench)/', pathNot: '^packages/(layout|word)/src/' },
    ),
    rule(
      'packages-by-their-interface',
      { path: '^(src|clients|tools|bench)/' },
      {
        path: '^packages/(einvoice|layout)/',
        pathNot: '^packages/(layout/src/main|einvoice/src/(main|model/invoice|xml/namespaces))\\.ts$',
      },
    ),
    rule(
      'direct-pdf-has-one-entry',
      // `run.ts` opens it, and the dependencies of a worker hold what it opened.
      { path: '^src/', pathNot: '^src/worker/(direct-pdf/|(run|deps)\\.ts$)' },
      { path: '^src/worker/direct-pdf/', pathNot: '^src/worker/direct-pdf/direct-layout\\.ts$' },
    ),
    rule(
      'supervisor-knows-no-engine',
      { path: '^src/worker/supervisor/' },
      { path: '^src/', pathNot: ['^src/worker/supervisor/', '^src/shared/(errors|logger|resolve-entry)\\.ts$'] },
    ),
    rule(
      'docx-language-and-package-at-the-bottom',
      { path: '^src/worker/docx/(language|package)/' },
      {
        path: '^src/worker/docx/',
        pathNot: ['^src/worker/docx/$1/', '^src/worker/docx/limits\\.ts$'],
      },
    ),
    rule(
      'docx-core-knows-no-feature',
      { path: '^src/worker/docx/core/' },
      { path: '^src/worker/docx/', pathNot: '^src/worker/docx/(core/|language/|package/|limits\\.ts$)' },
    ),
    rule(
      'docx-feature-without-feature',
      { path: '^src/worker/docx/features/([^/]+)/' },
      {
        path: '^src/worker/docx/',
        pathNot: ['^src/worker/docx/features/$1/', '^src/worker/docx/(core/|language/|package/|limits\\.ts$)'],
      },
    ),
    rule(
      'docx-one-list-of-features',
      { path: '^src/worker/docx/features\\.ts$' },
      { path: '^src/worker/docx/(inspect|sanitize|sandbox|render-template)' },
    ),
    rule(
      'docx-inspect-below-sandbox',
      { path: '^src/worker/docx/inspect/' },
      { path: '^src/worker/docx/(sandbox|render-template)' },
    ),
    rule(
      'docx-sanitize-below-sandbox',
      { path: '^src/worker/docx/sanitize/' },
      { path: '^src/worker/docx/(features|inspect|sandbox|render-template)' },
    ),
    rule(
      'docx-render-template-below-sandbox',
      { path: '^src/worker/docx/render-template\\.ts$' },
      { path: '^src/worker/docx/(features/|inspect|sandbox)' },
    ),
    rule(
      'domain-on-rows-only',
      { path: '^src/shared/domain/' },
      {
        path: '^src/shared/',
        pathNot: [
          '^src/shared/domain/',
          '^src/shared/db/',
          '^src/shared/(errors|ids|keyed-limiter|mail-address|request-trace|template-syntax)\\.ts$',
          '^src/shared/(data-schema|document-name|json|output-options)\\.ts$',
        ],
      },
    ),
    rule(
      'foundation-below-all',
      { path: '^src/shared/(config/|(errors|ids|logger|shutdown)\\.ts$)' },
      {
        path: '^src/',
        pathNot: '^src/shared/(config/|(errors|ids|logger|shutdown)\\.ts$)',
      },
    ),
    rule('shared-below-processes', { path: '^src/shared/' }, { path: '^src/(api|worker|admin)/' }),
    rule(
      'child-process-owners',
      {
        path: '^src/',
        // Programs of our own are started by the supervisor.
        pathNot: [
          '^src/worker/supervisor/',
          // LibreOffice.
          '^src/worker/pdf/office/',
          // pg_dump and pg_restore.
          '^src/admin/backup/',
        ],
      },
      {
        path: '^(node:)?child_process$',
      },
    ),
    rule(
      'drizzle-owners',
      { path: '^src/', pathNot: '^src/shared/(db|domain)/' },
      { path: 'node_modules/drizzle-orm/' },
    ),
    rule(
      'bullmq-owners',
      {
        path: '^src/',
        pathNot: [
          '^src/shared/queue/',
          '^src/worker/(start-workers|run-job|fair-worker)\\.ts$',
          '^src/api/documents/await-result\\.ts$',
        ],
      },
      { path: 'node_modules/bullmq/' },
    ),
    rule('minio-owner', { path: '^src/', pathNot: '^src/shared/storage/' }, { path: 'node_modules/minio/' }),
    rule(
      'service-without-clients',
      { path: '^src/', pathNot: '^src/console/' },
      { path: ['^clients/', 'node_modules/(@docmill|docmill)/'] },
    ),
    rule('clients-without-service', { path: '^clients/' }, { path: '^(src|tools|test|bench|examples)/' }),
    rule(
      'client-depends-on-nothing',
      { path: '^clients/typescript/src/' },
      { path: '.', pathNot: '^clients/typescript/src/' },
    ),
    rule('acceptance-speaks-http', { path: '^test/acceptance/' }, { path: '^src/' }),
    rule(
      'production-without-development',
      { path: '^(src|packages/[^/]+/src)/' },
      // The console offers the gallery.
      { path: '^(tools|test|bench|examples)/', pathNot: '^examples/gallery/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^clients/[^/]+/dist/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['docmill-source', 'import', 'node', 'default', 'types'],
    },
  },
};
