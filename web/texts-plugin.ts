import { type NodePath, type PluginObj, types } from '@babel/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { lingui } from '@lingui/vite-plugin';
import babel, { defineRolldownBabelPreset } from '@rolldown/plugin-babel';

/**
 * Compiles the app's texts: Lingui's macros in the code, whose English stays in it, and the catalogs of other languages. Messages
 * are compiled here, so that browsers load nothing that parses them.
 */
export function textsPlugin() {
  const macros = defineRolldownBabelPreset({
    preset: () => ({
      plugins: [['@lingui/babel-plugin-lingui-macro', { stripMessageField: false }], compileMessages],
    }),
    rolldown: { filter: { code: /@lingui\/(?:core|react)\/macro/ } },
  });
  return [babel({ presets: [macros] }), lingui({ failOnCompileError: true })];
}

/** Replaces the texts that the macros leave in the code, in their format with `{names}`, by what that format is compiled to. */
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
