/** What can be ended. */
type Ending = { destroy(): unknown };

export type StrangersOptions = { strangersMax?: number; patienceMs?: number; now?: () => number };

/** Connections at once of which nobody knows who they are. */
const strangersMaxDefault = 2000;
/** Whoever has not begun to log in by then has to make room. A good reader needs a round trip or three. */
const patienceMsDefault = 2000;

/**
 * Bounds the connections that have not sent a CONNECT: whoever opens them by the thousand takes neither memory nor file
 * descriptors without end, and keeps readers out for two seconds at most.
 */
export function createStrangers(options: StrangersOptions = {}) {
  const { strangersMax = strangersMaxDefault, patienceMs = patienceMsDefault, now = () => performance.now() } = options;
  /** In the order in which they came. */
  const strangers = new Map<string, { connection: Ending; sinceMs: number }>();

  function makeRoom(): boolean {
    const [oldest] = strangers;
    if (!oldest || now() - oldest[1].sinceMs < patienceMs) return false;
    strangers.delete(oldest[0]);
    oldest[1].connection.destroy();
    return true;
  }

  return {
    /** Whether there is room for one more, under a name of its own. */
    admit(name: string, connection: Ending): boolean {
      if (strangers.size >= strangersMax && !makeRoom()) return false;
      strangers.set(name, { connection, sinceMs: now() });
      return true;
    },
    /** It has said who it is, or has gone. */
    forget: (name: string) => void strangers.delete(name),
  };
}
