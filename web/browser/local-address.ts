const localNames = ['localhost', '127.0.0.1', '[::1]'];

/** Returns whether the app was opened at an address that only this computer reaches. */
export function isLocalAddress(): boolean {
  return localNames.includes(location.hostname);
}
