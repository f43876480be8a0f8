import { i18n } from '../i18n/i18n.js';

/**
 * Returns a label as it is written within a sentence. English writes it in lower case; other languages, such as German
 * with its nouns, keep it as it is.
 */
export function lowerCase(label: string): string {
  return i18n.locale === 'en' ? label.toLowerCase() : label;
}
