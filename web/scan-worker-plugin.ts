import type { Plugin, Rolldown } from 'vite';

const workerSource = 'service-worker.ts';
const workerFile = 'sw.js';
/** The entry modules that the scan page needs without a network. */
const roots = [
  '/index.html',
  '/web/app.tsx',
  '/pages/scan/scan-page.tsx',
  '/pages/scan/move-question.tsx',
  '/pages/scan/still-here-question.tsx',
  '/pages/scan/scanned-list.tsx',
  '/pages/scan/queue-panel.tsx',
  '/scanning/camera-scanner.tsx',
  '/offline/last-known-places.tsx',
  '/pages/assets/asset-page.tsx',
  '/search/palette.tsx',
  '/ui/notification-area.tsx',
  '/api/live-link.ts',
  '/locales/de.po',
];
/** Files that the document names by itself. */
const documentFiles = ['/color-scheme.js', '/favicon.svg', '/manifest.webmanifest'];
/** The files of the font that nearly every page needs. */
const fontPattern = /latin-wght-normal[^/]*\.woff2$/;

/** Builds the service worker, and writes into it which files of the build the scan page needs. */
export function scanWorkerPlugin(): Plugin {
  return {
    name: 'whereabouts-scan-worker',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: `${import.meta.dirname}/${workerSource}`, fileName: workerFile });
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const worker = bundle[workerFile];
        if (worker?.type !== 'chunk') throw new Error('the service worker was not built');
        if (worker.imports.length > 0) throw new Error('the service worker has to stand by itself');
        const files = [...documentFiles, ...filesOf(bundle)].toSorted();
        worker.code = worker.code
          .replace('__SCAN_FILES__', files.join(','))
          .replace('__SCAN_VERSION__', hashOf(files.join(',') + worker.code));
      },
    },
  };
}

/** Returns the addresses of the files that the roots need, without the files that they load later. */
function filesOf(bundle: Rolldown.OutputBundle): Set<string> {
  const found = new Set<string>();
  const visit = (name: string) => {
    const chunk = bundle[name];
    if (found.has(`/${name}`) || chunk?.type !== 'chunk') return;
    found.add(`/${name}`);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(`/${style}`);
    for (const other of chunk.imports) visit(other);
  };
  for (const root of roots) {
    const start = Object.values(bundle).find((one) => one.type === 'chunk' && one.facadeModuleId?.endsWith(root));
    if (!start) throw new Error(`${root} is in no chunk of its own`);
    visit(start.fileName);
  }
  for (const name of Object.keys(bundle)) if (fontPattern.test(name)) found.add(`/${name}`);
  return found;
}

/** FNV-1a; the hash only has to differ between versions. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(36);
}
