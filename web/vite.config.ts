import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { preloadPlugin } from './preload-plugin.js';
import { scanWorkerPlugin } from './scan-worker-plugin.js';
import { textsPlugin } from './texts-plugin.js';

const service = process.env['WHEREABOUTS_URL'] ?? 'http://localhost:3000';

/**
 * Two builds into one folder, so that neither loads a part of the other: the app, and with `--mode docs` the page at
 * `/api/docs`.
 */
export default defineConfig(({ mode }) => {
  const isDocs = mode === 'docs';
  return {
    root: import.meta.dirname,
    plugins: [textsPlugin(), react(), ...(isDocs ? [] : [preloadPlugin(), scanWorkerPlugin()])],
    build: {
      outDir: '../dist-web',
      emptyOutDir: !isDocs,
      copyPublicDir: !isDocs,
      target: 'es2022',
      assetsDir: 'static',
      assetsInlineLimit: 0,
      // Drawing labels and reading barcodes takes large libraries, which are loaded when somebody does it.
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        input: `${import.meta.dirname}/${isDocs ? 'docs' : 'index'}.html`,
        // What every page needs comes as one file: many small ones wait for each other on a phone.
        // So is what several pages share.
        output: {
          codeSplitting: {
            groups: [
              // Runs before the app, so nothing of the app may be in it.
              {
                name: 'language',
                test: /[\\/]web[\\/]i18n[\\/]|@lingui[\\/](?:core|message-utils)|preload-helper/,
                priority: 3,
              },
              { name: 'app', test: /[\\/]web[\\/]app\.tsx$/, priority: 2 },
              { name: 'shared', minShareCount: 14, maxModuleSize: 4_000, priority: 1 },
            ],
          },
        },
      },
    },
    server: { proxy: { '/trpc': service, '/api': service, '/files': service } },
  };
});
