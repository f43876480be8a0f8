/** Returns a signal level as text, such as `−58 dBm`, to the whole decibel, with a space that does not break. */
export function levelText(dbm: number): string {
  const whole = Math.round(dbm);
  return `${whole < 0 ? '−' : ''}${Math.abs(whole)}\u00A0dBm`;
}

/** Returns a difference of levels as text, such as `12 dB`, to the whole decibel, with a space that does not break. */
export function decibelText(db: number): string {
  const whole = Math.round(db);
  return `${whole < 0 ? '−' : ''}${Math.abs(whole)}\u00A0dB`;
}
