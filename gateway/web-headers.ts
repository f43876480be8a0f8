/** What a content security policy allows; everything else is forbidden. */
type PolicyOptions = {
  /** The nonce of one answer, which allows the style elements of the component library. */
  nonce?: string;
  /** Whether WebAssembly may run: the barcode reader, in browsers that have none of their own. */
  wasm: boolean;
};

/** Returns a policy that forbids foreign, inline and framed content. */
export function contentSecurityPolicy({ nonce, wasm }: PolicyOptions): string {
  return [
    "default-src 'none'",
    `script-src 'self'${wasm ? " 'wasm-unsafe-eval'" : ''}`,
    `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "media-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The device features of a page: the camera, to read barcodes. Sound and the clipboard keep the browser's default. */
const permissionsPolicy = [
  'camera=(self)',
  ...[
    'accelerometer',
    'display-capture',
    'geolocation',
    'gyroscope',
    'hid',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'publickey-credentials-get',
    'serial',
    'usb',
    'xr-spatial-tracking',
  ].map((feature) => `${feature}=()`),
].join(', ');

/** Returns the headers of every answer of the app, besides its policy. */
export function securityHeaders({ https }: { https: boolean }): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    // For browsers that do not know `frame-ancestors`.
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Permissions-Policy': permissionsPolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(https && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}
