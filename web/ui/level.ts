/** Returns a signal level as text, such as `−58 dBm`, to the whole decibel, with a space that does not break. */
export function levelText(dbm: number): string {
  const whole = Math.round(dbm);
  return `${whole < 0 ? '−' : ''}${Math.abs(whole)}\u00A0dBm`;
}
