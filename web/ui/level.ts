/** A signal level as text, such as `−58 dBm`, to the whole decibel. */
export function levelText(dbm: number): string {
  const whole = Math.round(dbm);
  return `${whole < 0 ? '−' : ''}${Math.abs(whole)} dBm`;
}
