import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProvider } from './api/provider.js';
import { createAppRouter } from './routes.js';
import { readStyleNonce } from './style-nonce.js';
import { cssVariables, theme } from './theme.js';

export function App() {
  const [router] = useState(createAppRouter);
  const [nonce] = useState(readStyleNonce);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-right" limit={3} />
      <ApiProvider>
        <RouterProvider router={router} />
      </ApiProvider>
    </MantineProvider>
  );
}
