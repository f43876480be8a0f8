import { useEffect, useRef } from 'react';
import { createWedge, type WedgeOptions } from './wedge.js';

export type WedgeScannerOptions = WedgeOptions & {
  /** False while the page wants no scans. */
  enabled?: boolean;
};

/**
 * Listens for a scanner that types, while the component is there. No field needs the focus; what people type goes where it
 * always goes. The value comes without control characters, prefix and suffix.
 */
export function useWedgeScanner(onScan: (value: string) => void, options: WedgeScannerOptions = {}): void {
  const { enabled = true, prefix, suffix } = options;
  const latest = useRef(onScan);
  useEffect(() => {
    latest.current = onScan;
  });
  useEffect(() => {
    if (!enabled) return undefined;
    const onKeyDown = createWedge((value) => latest.current(value), {
      ...(prefix === undefined ? {} : { prefix }),
      ...(suffix === undefined ? {} : { suffix }),
    });
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [enabled, prefix, suffix]);
}
