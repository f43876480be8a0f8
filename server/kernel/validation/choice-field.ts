import { fail } from './failure.js';
import { checkedField, type NullRule } from './fields.js';

/** Returns a field that accepts one of some words; `onNull` chooses the advice for null. */
export function choiceField<const Choice extends string>(
  choices: readonly Choice[],
  onNull: Exclude<NullRule, 'value'>,
) {
  return checkedField<Choice>(
    onNull,
    (value) => choices.find((choice) => choice === value) ?? fail('not_one_of', { allowed: choices }),
    { type: 'string', enum: choices },
  );
}

/** Returns a filter parameter that accepts one of some words. */
export function choiceParameter<const Choice extends string>(choices: readonly Choice[]) {
  return choiceField(choices, 'create-default');
}
