import { useEffect } from 'react';
import { useTRPCClient } from '../api/trpc.js';
import { i18n } from '../i18n/i18n.js';
import { useSession } from '../session/context.js';

const storageKey = 'whereabouts-device';

/**
 * Sends the time zone and the language of this device to the service once, which writes emails in them.
 *
 * @param isSettled whether the first page is shown
 */
export function useDeviceNote(isSettled: boolean): void {
  const api = useTRPCClient();
  const { user } = useSession();
  useEffect(() => {
    if (!isSettled) return;
    const device = { time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone, language: languageOfDevice() };
    const note = JSON.stringify({ user_id: user.id, ...device });
    if (localStorage.getItem(storageKey) === note) return;
    // If it fails, the next start sends it.
    void api.session.noteDevice.mutate(device).then(
      () => localStorage.setItem(storageKey, note),
      () => undefined,
    );
  }, [api, user.id, isSettled]);
}

function languageOfDevice(): 'en' | 'de' {
  return i18n.locale === 'de' ? 'de' : 'en';
}
