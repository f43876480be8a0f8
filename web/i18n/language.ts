import type { Messages } from '@lingui/core';
import { i18n } from './i18n.js';

/** The languages of the app, by their BCP 47 tags, each with the name that its speakers give it. */
export const languageNames = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof languageNames;

const catalogs: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ messages: Messages }>>> = {
  de: () => import('../locales/de.po'),
};

const storageKey = 'whereabouts-language';

function isLanguage(text: string | null | undefined): text is Language {
  return text !== null && text !== undefined && Object.hasOwn(languageNames, text);
}

/** Returns the language that was chosen on this device, or null for the browser's language. */
export function rememberedLanguage(): Language | null {
  try {
    const text = localStorage.getItem(storageKey);
    return isLanguage(text) ? text : null;
  } catch {
    return null;
  }
}

/** Returns the first of the browser's languages that the app has; English if it has none of them. */
function languageOfBrowser(): Language {
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
}

/** Loads the texts of the chosen language. English stays if its catalog cannot be loaded. */
export async function loadLanguage(): Promise<void> {
  const language = rememberedLanguage() ?? languageOfBrowser();
  try {
    if (language !== 'en') i18n.loadAndActivate({ locale: language, messages: (await catalogs[language]()).messages });
  } catch {
    // Without a network there may be no catalog; English is better than nothing.
  }
  document.documentElement.lang = i18n.locale;
}

/**
 * Remembers a choice on this device, null for the browser's own language, and loads the page again if its texts are in
 * another language. If the browser cannot store the choice, nothing changes.
 */
export function chooseLanguage(choice: Language | null): void {
  try {
    if (choice === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, choice);
  } catch {
    return;
  }
  if (rememberedLanguage() === choice && (choice ?? languageOfBrowser()) !== i18n.locale) location.reload();
}
