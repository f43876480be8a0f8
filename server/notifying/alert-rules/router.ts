import { router } from '../../trpc.js';
import { previewRule } from './preview.js';
import { ruleOptions } from './rule-options.js';
import { createRule, deleteRule, getRule, listRules, restoreRule, setEnabled, updateRule } from './save-rule.js';

/** Alert rules and their recipients; for managers and administrators. */
export const alertRulesRouter = router({
  list: listRules,
  get: getRule,
  create: createRule,
  update: updateRule,
  setEnabled,
  delete: deleteRule,
  restore: restoreRule,
  preview: previewRule,
  options: ruleOptions,
});
