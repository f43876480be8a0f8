import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { preloadPlugin } from './preload-plugin.js';
import { scanWorkerPlugin } from './scan-worker-plugin.js';
import { textsPlugin } from './texts-plugin.js';

const service = process.env['WHEREABOUTS_URL'] ?? 'http://localhost:3000';

/** Many pages have a form, but not those that are opened first. */
const formCode = /[\\/]web[\\/]ui[\\/](?:use-)?server-form\.tsx?$|@mantine[\\/]form[\\/]/;

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
      // Drawing labels and reading barcodes needs large libraries, which are loaded only when they are used.
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        input: `${import.meta.dirname}/${isDocs ? 'docs' : 'index'}.html`,
        // Code that every page needs is one file, since many small files wait for each other on a phone. Code that
        // several pages share is one file, too.
        output: {
          codeSplitting: {
            groups: [
              // Runs before the app, so it must not contain code of the app.
              {
                name: 'language',
                test: /[\\/]web[\\/]i18n[\\/]|@lingui[\\/](?:core|message-utils)|preload-helper/,
                priority: 3,
              },
              { name: 'app', test: /[\\/]web[\\/]app\.tsx$/, priority: 2 },
              {
                name: 'shared',
                test: (id) => !formCode.test(id),
                minShareCount: 14,
                maxModuleSize: 4_000,
                priority: 1,
              },
            ],
          },
        },
      },
    },
    server: { proxy: { '/trpc': service, '/api': service, '/files': service } },
  };
});
