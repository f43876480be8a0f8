import { useLocalStorage } from '@mantine/hooks';

/** Returns whether this browser's user has shortcuts of a single key, and a function that switches them (WCAG 2.2, 2.1.4). */
export function useSingleKeys(): [isOn: boolean, setOn: (isOn: boolean) => void] {
  const [isOn, setOn] = useLocalStorage({
    key: 'whereabouts-single-keys',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  return [isOn, setOn];
}

/** Returns whether keys go into a field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** Returns whether a page is for scanning, where scanners type their codes. */
export function isScanning(path: string): boolean {
  return path.startsWith('/scan') || path.endsWith('/audit');
}
