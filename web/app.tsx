import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProvider } from './api/provider.js';
import { i18n } from './i18n/i18n.js';
import { createAppRouter } from './routes.js';
import { readStyleNonce } from './style-nonce.js';
import { cssVariables, theme } from './theme.js';

/** Resolves when the first page has been shown and the browser has nothing else to do, or after two seconds. */
function pageIsQuiet(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 2000 });
    else setTimeout(resolve, 1000);
  });
}

/** Where notifications appear. The first page does without; those that are shown before it is here wait for it. */
const NotificationArea = lazy(async (): Promise<{ default: ComponentType }> => {
  await pageIsQuiet();
  try {
    return { default: (await import('./ui/notification-area.js')).NotificationArea };
  } catch {
    return { default: () => null };
  }
});

/** Shows the app in the document. The language is loaded before this module is. */
export function renderApp(): void {
  const root = document.getElementById('root');
  if (root) createRoot(root).render(<App />);
}

function App() {
  const [router] = useState(createAppRouter);
  const [nonce] = useState(readStyleNonce);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Suspense fallback={null}>
        <NotificationArea />
      </Suspense>
      <I18nProvider i18n={i18n}>
        <ApiProvider>
          <RouterProvider router={router} />
        </ApiProvider>
      </I18nProvider>
    </MantineProvider>
  );
}
