import type { Outputs } from '../../api/trpc.js';

export type Rule = Outputs['alertRules']['list']['data'][number];
export type RuleInput = Omit<Rule, 'id' | 'is_enabled' | 'created_at' | 'updated_at'>;
export type RuleNames = Outputs['alertRules']['list']['names'];
