import { type NodePath, type PluginObj, transformAsync, types } from '@babel/core';
import { compileMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import Catalog from 'pofile';
import type { Plugin } from 'vite';

/**
 * Compiles the app's texts: Lingui's macros, whose English texts stay in the code, and the catalogs of other languages.
 * Messages are compiled here, so that browsers need no parser.
 */
export function textsPlugin() {
  return [macrosPlugin(), catalogsPlugin()];
}

/** The imports of the macros. `lingui.config.js` is only for the command line, whose packages a build does not have. */
const linguiConfig = {
  runtimeConfigModule: {
    i18n: ['#i18n', 'i18n'],
    Trans: ['@lingui/react', 'Trans'],
    useLingui: ['@lingui/react', 'useLingui'],
  },
  macro: { corePackage: ['@lingui/core/macro'], jsxPackage: ['@lingui/react/macro'] },
};

function macrosPlugin(): Plugin {
  return {
    name: 'whereabouts-texts',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$/, code: /@lingui\/(?:core|react)\/macro/ },
      async handler(source, id) {
        const result = await transformAsync(source, {
          filename: id,
          babelrc: false,
          configFile: false,
          sourceMaps: true,
          parserOpts: { plugins: id.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
          plugins: [['@lingui/babel-plugin-lingui-macro', { stripMessageField: false, linguiConfig }], compileMessages],
        });
        return result?.code ? { code: result.code, map: result.map ?? null } : null;
      },
    },
  };
}

/** Replaces the texts that the macros leave in the code, in a format with `{names}`, with their compiled form. */
function compileMessages(): PluginObj {
  return {
    visitor: {
      Program: {
        exit(program: NodePath<types.Program>) {
          program.traverse({
            ObjectProperty({ node, parent }) {
              const isDescriptor =
                types.isObjectExpression(parent) && parent.properties.some((one) => isNamed(one, 'id'));
              if (isDescriptor && isNamed(node, 'message') && types.isStringLiteral(node.value)) {
                node.value = compiled(node.value.value);
              }
            },
          });
        },
      },
    },
  };
}

function isNamed(property: types.ObjectExpression['properties'][number], name: string): boolean {
  return types.isObjectProperty(property) && types.isIdentifier(property.key, { name });
}

function compiled(message: string): types.Expression {
  return types.valueToNode(compileMessage(message));
}

/**
 * Compiles the catalogs to modules. A text without a translation stays in English; a translation with an invalid format
 * makes the build fail.
 */
function catalogsPlugin(): Plugin {
  return {
    name: 'whereabouts-catalogs',
    // Vite's development server would bundle the macros, which exist only until they are compiled.
    config: () => ({ optimizeDeps: { exclude: ['@lingui/core/macro', '@lingui/react/macro'] } }),
    transform: {
      filter: { id: /\.po$/ },
      handler(source) {
        const messages = Catalog.parse(source).items.map(({ msgid, msgctxt, msgstr: [translation] }) => [
          generateMessageId(msgid, msgctxt),
          compileMessageOrThrow(translation || msgid),
        ]);
        const json = JSON.stringify(Object.fromEntries(messages));
        return { code: `export const messages = JSON.parse(${JSON.stringify(json)});`, map: null, moduleType: 'js' };
      },
    },
  };
}
