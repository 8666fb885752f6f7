import type { ComponentChildren, ComponentType } from 'preact';
import { Component } from 'preact';
import { lazy, Suspense } from 'preact/compat';
import { Redirect, Route, Switch, useLocation } from 'wouter-preact';
import { shellTexts } from '../texts/shell.ts';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { ForbiddenPage } from './forbidden-page.tsx';
import { MissingPage } from './missing-page.tsx';
import { missingScope, openEntries } from './navigation.ts';

type Load = () => Promise<{ readonly default: ComponentType }>;

/** The pages by path; each is loaded on first visit. Parameters such as `:id` are read with `useParams`. */
const pages: readonly (readonly [path: string, load: Load])[] = [
  ['/templates', () => import('../templates/template-list-page.tsx')],
  ['/templates/gallery', () => import('../templates/gallery/gallery-page.tsx')],
  ['/templates/:id/playground', () => import('../playground/playground-page.tsx')],
  ['/pictures', () => import('../pictures/picture-list-page.tsx')],
  ['/fonts', () => import('../fonts/font-list-page.tsx')],
  ['/dictionary', () => import('../dictionary/dictionary-page.tsx')],
  ['/documents', () => import('../documents/document-list-page.tsx')],
  ['/documents/:id', () => import('../documents/document-page.tsx')],
  ['/deliveries', () => import('../deliveries/delivery-list-page.tsx')],
  ['/deliveries/:id', () => import('../deliveries/delivery-page.tsx')],
  ['/webhooks', () => import('../webhooks/webhook-list-page.tsx')],
  ['/webhooks/:id', () => import('../webhooks/webhook-page.tsx')],
  ['/usage', () => import('../usage/usage-page.tsx')],
  ['/keys', () => import('../keys/keys-page.tsx')],
  ['/templates/:id', () => import('../templates/template-page.tsx')],
  ['/templates/:id/layout', () => import('../templates/layout/layout-page.tsx')],
  ['/templates/:id/versions', () => import('../templates/versions/version-list-page.tsx')],
  ['/batches', () => import('../batches/list/batch-list-page.tsx')],
  ['/batches/new', () => import('../batches/start/start-batch-page.tsx')],
  ['/batches/:id', () => import('../batches/batch/batch-page.tsx')],
];

const routes = pages.map(([path, load]) => ({ path, page: lazy(load) }));

export function Pages() {
  const [location] = useLocation();
  const scope = missingScope(location);
  if (scope !== undefined) return <ForbiddenPage scope={scope} />;
  return (
    <PageBoundary key={location}>
      <Suspense fallback={<Skeleton lines={6} />}>
        <Switch>
          <Route path="/">
            <Redirect to={openEntries()[0]?.path ?? '/templates'} replace />
          </Route>
          {routes.map(({ path, page: Page }) => (
            <Route key={path} path={path}>
              <Page />
            </Route>
          ))}
          <Route>
            <MissingPage />
          </Route>
        </Switch>
      </Suspense>
    </PageBoundary>
  );
}

/** Contains the failure of a page, so that the navigation keeps working. */
class PageBoundary extends Component<{ readonly children: ComponentChildren }, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <>
        <h1>{shellTexts.failedTitle}</h1>
        <ErrorNote error={this.state.error} onRetry={() => location.reload()} />
      </>
    );
  }
}
