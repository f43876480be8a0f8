import path from 'node:path';
import { defineConfig } from 'vite';
import { docsPlugin } from './docs-plugin.js';

/** Builds the documentation that the service shows at `/docs`. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/docs/',
  plugins: [docsPlugin(path.dirname(import.meta.dirname))],
  build: {
    outDir: '../dist-docs',
    target: 'es2022',
    assetsDir: 'static',
    assetsInlineLimit: 0,
    copyPublicDir: false,
    modulePreload: false,
    rolldownOptions: { input: `${import.meta.dirname}/client/main.ts` },
  },
});
