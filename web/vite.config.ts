import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { scanWorkerPlugin } from './scan-worker-plugin.js';

const service = process.env['WHEREABOUTS_URL'] ?? 'http://localhost:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), scanWorkerPlugin()],
  build: {
    outDir: '../dist-web',
    emptyOutDir: true,
    target: 'es2022',
    assetsDir: 'static',
    assetsInlineLimit: 0,
    // The app, and the page at /api/docs, which shares nothing with it but its looks.
    rolldownOptions: { input: [`${import.meta.dirname}/index.html`, `${import.meta.dirname}/docs.html`] },
  },
  server: { proxy: { '/trpc': service, '/api': service } },
});
