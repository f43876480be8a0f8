import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTRPC } from '../api/trpc.js';
import { useSession } from '../session/context.js';
import { chooseLanguage } from '../i18n/language.js';
import { devicePreferences, type FormatPreferences, setFormatPreferences } from '../ui/formats.js';

const storageKey = 'whereabouts-formats';

type Kept = { user_id: number; preferences: FormatPreferences };

/** Shows texts, dates, times and numbers as the signed-in person has set them; remembered on the device for the next start. */
export function useStoredPreferences(): void {
  const trpc = useTRPC();
  const { user } = useSession();
  const { data } = useQuery(trpc.session.preferences.queryOptions(undefined, { staleTime: Infinity }));
  useEffect(() => {
    setFormatPreferences(data ?? rememberedPreferences(user.id));
    if (!data) return;
    localStorage.setItem(storageKey, JSON.stringify({ user_id: user.id, preferences: data } satisfies Kept));
    chooseLanguage(data.language);
  }, [data, user.id]);
}

function rememberedPreferences(userId: number): FormatPreferences {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Kept | null;
    return kept?.user_id === userId ? kept.preferences : devicePreferences;
  } catch {
    return devicePreferences;
  }
}
