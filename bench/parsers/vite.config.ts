import { defineConfig } from 'vite';
import { textsPlugin } from '../../web/texts-plugin.js';

/** Builds the benchmark of parsers, some of which are parts of the app with its texts. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [textsPlugin()],
  build: {
    ssr: 'main.ts',
    outDir: '../../dist-bench-parsers',
    emptyOutDir: true,
    target: 'node20',
    minify: false,
  },
});
