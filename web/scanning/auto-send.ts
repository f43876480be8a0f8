/** Scans are sent this long after the last scan; until then each scan can be removed. */
export const autoSendMs = 5000;
const storageKey = 'whereabouts-scan-auto-send';

/**
 * Returns the setting of this device. Without automatic sending, people check their scans first and send them with a
 * button.
 */
export function areScansSentAutomatically(): boolean {
  return localStorage.getItem(storageKey) !== 'off';
}

export function sendScansAutomatically(isAutomatic: boolean): void {
  localStorage.setItem(storageKey, isAutomatic ? 'on' : 'off');
}

/** The time to change a batch that was reopened. */
const reopenedMs = 30_000;
/**
 * How many questions about unsent scans are open on this page, and until when scans are held back without a question.
 */
let questions = 0;
let heldUntilMs = 0;

/** Prevents automatic sending of scans until the returned function is called. */
export function holdScans(): () => void {
  questions += 1;
  return () => {
    questions -= 1;
  };
}

/** Prevents scans of a reopened batch from being sent at once. */
export function holdReopened(): void {
  heldUntilMs = Date.now() + reopenedMs;
}

export function areScansHeld(): boolean {
  return questions > 0 || Date.now() < heldUntilMs;
}
