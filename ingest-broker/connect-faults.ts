import type { ConnectPacket } from 'aedes';

/** Return codes of CONNACK. */
export const returnCodes = {
  identifierRejected: 2,
  serverUnavailable: 3,
  badUserNameOrPassword: 4,
  notAuthorized: 5,
} as const;

/** Why a CONNECT is rejected, for the administrators of the reader, and the return code for the client. */
export type ConnectFault = { reason: string; returnCode: number };

/** Bytes; every connection has a client id, in several keys. MQTT itself allows 65,535. */
const clientIdBytesMax = 1024;
/** Bytes of a user name and of a password, whose sender is not authenticated yet. */
const credentialBytesMax = 1024;
/** Bytes of the payload of a last will, which is kept as long as its connection. */
const willBytesMax = 4096;

/** Returns the fault of a CONNECT that no reader can send. */
export function connectFaultOf(packet: ConnectPacket): ConnectFault | undefined {
  const { clientId, username, password, will } = packet;
  const { identifierRejected, badUserNameOrPassword, notAuthorized } = returnCodes;
  if (clientId === '' && packet.clean === false) {
    return { reason: 'an empty client id needs a clean session', returnCode: identifierRejected }; // [MQTT-3.1.3-8]
  }
  if (isLonger(clientId, clientIdBytesMax)) {
    return { reason: `the client id has more than ${clientIdBytesMax} bytes`, returnCode: identifierRejected };
  }
  if (!username || password === undefined) {
    return { reason: 'user name or password is missing', returnCode: badUserNameOrPassword };
  }
  if (isLonger(username, credentialBytesMax) || isLonger(password, credentialBytesMax)) {
    const reason = `user name or password has more than ${credentialBytesMax} bytes`;
    return { reason, returnCode: badUserNameOrPassword };
  }
  if (will && isLonger(will.payload, willBytesMax)) {
    return { reason: `the last will has more than ${willBytesMax} bytes`, returnCode: notAuthorized };
  }
  return undefined;
}

function isLonger(value: string | Uint8Array, bytesMax: number): boolean {
  return (typeof value === 'string' ? Buffer.byteLength(value) : value.length) > bytesMax;
}
