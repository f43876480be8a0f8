/** Without a scan for this long, a person may have walked to another location. */
const sinceScanMaxMs = 10 * 60_000;
/** The same if the app was in the background for this long. */
const hiddenMaxMs = 2 * 60_000;

const storageKey = 'whereabouts-scan-presence';

/** When the app went into the background, and when it last came back after a long time, in epoch milliseconds. */
type Presence = { hiddenAtMs?: number; returnedAtMs?: number };

/** Returns the presence after the app was hidden. */
export function afterHiding(presence: Presence, nowMs: number): Presence {
  return { hiddenAtMs: nowMs, ...presence };
}

/** Returns the presence after the app was shown again. */
export function afterShowing({ hiddenAtMs, ...presence }: Presence, nowMs: number): Presence {
  return hiddenAtMs !== undefined && nowMs - hiddenAtMs >= hiddenMaxMs ? { returnedAtMs: nowMs } : presence;
}

/** Returns whether a person who last scanned at a location at a time may be elsewhere by now. */
export function mayHaveLeft(scannedAtMs: number, { returnedAtMs }: Presence, nowMs: number): boolean {
  return nowMs - scannedAtMs >= sinceScanMaxMs || (returnedAtMs !== undefined && returnedAtMs > scannedAtMs);
}

/** Returns the presence of this device; all tabs share it. */
export function storedPresence(): Presence {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Presence;
  } catch {
    return {};
  }
}

/** Notes whether the app is in the background now. */
export function notePresence(): void {
  const note = document.hidden ? afterHiding : afterShowing;
  localStorage.setItem(storageKey, JSON.stringify(note(storedPresence(), Date.now())));
}
