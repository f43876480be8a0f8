/** How a field can break its rule: the code, message and parameters of the rejection. */
export type Rule = { code: string; message?: string | RegExp; params?: Record<string, unknown> };

const pattern = (source: string): Rule => ({ code: 'invalid_value', params: { pattern: source } });
export const mustMatch = (field: string, source: string): Rule => ({
  ...pattern(source),
  message: new RegExp(`^${escaped(`${field} must match ${source}`)}.+`),
});
export const tooShort = (field: string, min: number): Rule => ({
  code: 'too_short',
  message: `${field} must be at least ${min} character(s)`,
  params: { min_length: min },
});
export const tooLong = (field: string, max: number): Rule => ({
  code: 'too_long',
  message: `${field} must be at most ${max} characters`,
  params: { max_length: max },
});
export const mismatch = (field: string, expected: string, received: string): Rule => ({
  code: 'invalid_value',
  message: `${field} must be ${expected}; received ${received}`,
  params: { expected_type: expected, received_type: received },
});
export const unstorable = (field: string): Rule => ({
  code: 'invalid_value',
  message: `${field} contains a character that cannot be stored`,
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

export const nul = '\u0000';
export const loneSurrogates = ['\ud800', '\udc00', 'a\udfffb', '\ude00\ud83d'];
