/** Bytes of a topic or filter; MQTT itself allows 65,535. */
export const topicBytesMax = 1024;
/** Levels of a topic or filter that the broker can match. */
export const levelsMax = 100;

/** Returns whether `#` is alone on the last level, and each `+` alone on its own ([MQTT-4.7.1-2], [MQTT-4.7.1-3]). */
export function isWellFormedFilter(filter: string): boolean {
  const levels = filter.split('/');
  return levels.every((level, index) => {
    if (level.includes('#')) return level === '#' && index === levels.length - 1;
    return level === '+' || !level.includes('+');
  });
}
