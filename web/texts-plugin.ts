import { lingui } from '@lingui/vite-plugin';
import babel, { defineRolldownBabelPreset } from '@rolldown/plugin-babel';

/** Compiles the app's texts: Lingui's macros in the code, whose English stays in it, and the catalogs of other languages. */
export function textsPlugin() {
  const macros = defineRolldownBabelPreset({
    preset: () => ({ plugins: [['@lingui/babel-plugin-lingui-macro', { stripMessageField: false }]] }),
    rolldown: { filter: { code: /@lingui\/(?:core|react)\/macro/ } },
  });
  return [babel({ presets: [macros] }), lingui({ failOnCompileError: true })];
}
