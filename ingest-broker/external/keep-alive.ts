export type KeepAliveOptions = {
  everyMs: number;
  ping(): void;
  /** Whether what the other side says goes unread now, so that its silence says nothing. */
  isDeaf(): boolean;
  onSilence(): void;
};

/** Shows the other side that this one lives, and notices when it no longer does ([MQTT-3.1.2-24]). */
export function createKeepAlive({ everyMs, ping, isDeaf, onSilence }: KeepAliveOptions) {
  let wasHeard = true;
  const timer = setInterval(() => {
    if (!wasHeard && !isDeaf()) return onSilence();
    wasHeard = isDeaf();
    ping();
  }, everyMs);
  return {
    heard(): void {
      wasHeard = true;
    },
    stop: () => clearInterval(timer),
  };
}
