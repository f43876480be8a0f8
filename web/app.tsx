import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { useNotifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProvider } from './api/provider.js';
import { i18n } from './i18n/i18n.js';
import { createAppRouter } from './routes.js';
import { readStyleNonce } from './style-nonce.js';
import { cssVariables, theme } from './theme.js';

/** Where notifications appear. */
const NotificationArea = lazy(async (): Promise<{ default: ComponentType }> => {
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
      <NotificationsOnDemand />
      <I18nProvider i18n={i18n}>
        <ApiProvider>
          <RouterProvider router={router} />
        </ApiProvider>
      </I18nProvider>
    </MantineProvider>
  );
}

/** Loads the notification area with the first notification. */
function NotificationsOnDemand() {
  const { notifications } = useNotifications();
  const [isNeeded, setNeeded] = useState(false);
  if (!isNeeded && notifications.length > 0) setNeeded(true);
  return (
    isNeeded && (
      <Suspense fallback={null}>
        <NotificationArea />
      </Suspense>
    )
  );
}
