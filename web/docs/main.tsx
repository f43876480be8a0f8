import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.layer.css';
import '../styles.css';
import { MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { readStyleNonce } from '../style-nonce.js';
import { cssVariables, theme } from '../theme.js';
import { DocsPage } from './docs-page.js';

const nonce = readStyleNonce();
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <DocsPage />
    </MantineProvider>,
  );
}
