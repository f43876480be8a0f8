import { fail, field } from './failure.js';
import { missing, nullFailures, wrongType } from './fields.js';

/** Returns a field that accepts one of some words; `onNull` chooses the advice for null. */
export function choiceField<const Choice extends string>(
  choices: readonly Choice[],
  onNull: 'create-default' | 'patch',
) {
  return field<Choice>(
    (value) => {
      if (value === undefined) return missing;
      if (value === null) return nullFailures[onNull];
      if (typeof value !== 'string') return wrongType('string', value);
      return choices.find((choice) => choice === value) ?? fail('not_one_of', { allowed: choices });
    },
    { type: 'string', enum: choices },
  );
}

/** Returns a filter parameter that accepts one of some words. */
export function choiceParameter<const Choice extends string>(choices: readonly Choice[]) {
  return choiceField(choices, 'create-default');
}
