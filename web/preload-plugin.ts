import type { Plugin, Rolldown } from 'vite';

const appModule = '/web/app.tsx';

/**
 * Adds preload links for the app's files to the document. The first module imports these files only once the language
 * is known; with the links they arrive together with it.
 */
export function preloadPlugin(): Plugin {
  return {
    name: 'whereabouts-preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        if (!bundle) return [];
        return [...appFiles(bundle)].map((file) => ({
          tag: 'link',
          attrs: file.endsWith('.css')
            ? { rel: 'stylesheet', crossorigin: '', href: `/${file}` }
            : { rel: 'modulepreload', crossorigin: '', href: `/${file}` },
          injectTo: 'head' as const,
        }));
      },
    },
  };
}

/** Returns the files of the app and of its imports. */
function appFiles(bundle: Rolldown.OutputBundle): Set<string> {
  const found = new Set<string>();
  const visit = (name: string) => {
    const chunk = bundle[name];
    if (found.has(name) || chunk?.type !== 'chunk') return;
    found.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
    for (const other of chunk.imports) visit(other);
  };
  const app = Object.values(bundle).find((one) => one.type === 'chunk' && one.facadeModuleId?.endsWith(appModule));
  if (!app) throw new Error(`${appModule} is in no file of its own`);
  visit(app.fileName);
  return found;
}
