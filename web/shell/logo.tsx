/** The logo of the product: a pin for a location, with radio waves. */
export function Logo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#0b5f70" />
      <path d="M16 6.5a7 7 0 0 0-7 7c0 5 7 12 7 12s7-7 7-12a7 7 0 0 0-7-7Z" fill="#fff" />
      <circle cx="16" cy="13.5" r="2.8" fill="#0b5f70" />
    </svg>
  );
}
