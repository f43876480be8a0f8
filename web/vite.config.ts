import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const service = process.env['WHEREABOUTS_URL'] ?? 'http://localhost:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: '../dist-web', emptyOutDir: true, target: 'es2022', assetsDir: 'static', assetsInlineLimit: 0 },
  server: { proxy: { '/trpc': service, '/api': service } },
});
