/** Scans are sent so long after the last one; until then each can be taken back. */
export const autoSendMs = 5000;
const storageKey = 'whereabouts-scan-auto-send';

/** Holds for this device. Who wants to look at all scans first sends them by a button. */
export function areScansSentAutomatically(): boolean {
  return localStorage.getItem(storageKey) !== 'off';
}

export function sendScansAutomatically(isAutomatic: boolean): void {
  localStorage.setItem(storageKey, isAutomatic ? 'on' : 'off');
}

/** After a batch was taken back there is time to change it. */
const reopenedMs = 30_000;
/** How many questions about unsent scans are open on this page, and until when they wait without one. */
let questions = 0;
let heldUntilMs = 0;

/** Keeps scans from being sent by themselves until the returned function is called. */
export function holdScans(): () => void {
  questions += 1;
  return () => {
    questions -= 1;
  };
}

/** Keeps scans that were taken back from being sent by themselves at once. */
export function holdReopened(): void {
  heldUntilMs = Date.now() + reopenedMs;
}

export function areScansHeld(): boolean {
  return questions > 0 || Date.now() < heldUntilMs;
}
