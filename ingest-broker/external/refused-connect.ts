/** The reasons of a broker's rejection, by the return code of its CONNACK. */
const reasons: Readonly<Record<number, string>> = {
  1: 'it does not speak MQTT 3.1.1',
  2: 'it refuses the client id (MQTT_CLIENT_ID)',
  3: 'it is not available now',
  4: 'it refuses the user or the password in MQTT_URL',
  5: 'it refuses the user or the password in MQTT_URL',
};

export function reasonOf(returnCode: number): string {
  return reasons[returnCode] ?? `it refuses the connection with code ${returnCode}`;
}
