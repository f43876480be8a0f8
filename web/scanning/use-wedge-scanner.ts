import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { createScanSounds } from './scan-sounds.js';
import { areScansTaken, subscribeToTakers, takeScans } from './scan-takers.js';
import { createWedge, type WedgeOptions } from './wedge.js';

/** Shown when a part of a scan may be missing. */
export const incompleteScan = {
  title: t`Incomplete scan`,
  text: t`Part of the tag may be missing. Nothing was recorded. Scan it again.`,
};

export type WedgeScannerOptions = WedgeOptions & {
  /** False while the page accepts no scans. */
  enabled?: boolean;
};

/**
 * Listens for a keyboard-wedge scanner while the component is mounted. No field needs the focus; what people type is
 * not affected. The value has no control characters, prefix and suffix. A scan that may be incomplete is rejected with
 * a sound and a notice, or with `onReject`.
 */
export function useWedgeScanner(onScan: (value: string) => void, options: WedgeScannerOptions = {}): void {
  const { enabled = true } = options;
  useEffect(() => (enabled ? takeScans() : undefined), [enabled]);
  useListener(onScan, options);
}

/** Listens for scans that no page handles and that do not go into a field. */
export function useScansElsewhere(onScan: (value: string) => void): void {
  useListener(onScan, { enabled: !useSyncExternalStore(subscribeToTakers, areScansTaken), leavesFields: true });
}

function useListener(onScan: (value: string) => void, options: WedgeScannerOptions): void {
  const { enabled = true, prefix, suffix, leavesFields = false, onReject } = options;
  const sounds = useMemo(() => createScanSounds(), []);
  useEffect(() => () => sounds.stop(), [sounds]);
  const latest = useRef({ onScan, onReject });
  useEffect(() => {
    latest.current = { onScan, onReject };
  });
  useEffect(() => {
    if (!enabled) return undefined;
    const onKey = createWedge((value) => latest.current.onScan(value), {
      onReject() {
        if (latest.current.onReject) {
          latest.current.onReject();
          return;
        }
        sounds.play('unknown');
        notifications.show({ color: 'red', title: incompleteScan.title, message: incompleteScan.text });
      },
      leavesFields,
      ...(prefix === undefined ? {} : { prefix }),
      ...(suffix === undefined ? {} : { suffix }),
    });
    for (const type of ['keydown', 'keyup'] as const) window.addEventListener(type, onKey, { capture: true });
    return () => {
      for (const type of ['keydown', 'keyup'] as const) window.removeEventListener(type, onKey, { capture: true });
    };
  }, [enabled, prefix, suffix, leavesFields, sounds]);
}
