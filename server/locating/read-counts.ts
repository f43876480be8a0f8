/** A belief about which share of its opportunities an antenna uses: a beta distribution with these two parameters. */
export type ShareBelief = { used: number; missed: number };

/**
 * Returns the natural logarithm of how likely a number of reads is: the beta-binomial distribution.
 *
 * @param opportunities at least as many as reads; neither has to be whole
 */
export function logChanceOfReads(
  { reads, opportunities }: { reads: number; opportunities: number },
  { used, missed }: ShareBelief,
): number {
  const left = Math.max(0, opportunities - reads);
  return (
    logGamma(reads + left + 1) -
    logGamma(reads + 1) -
    logGamma(left + 1) +
    logBeta(reads + used, left + missed) -
    logBeta(used, missed)
  );
}

function logBeta(one: number, other: number): number {
  return logGamma(one) + logGamma(other) - logGamma(one + other);
}

/** Returns the natural logarithm of the gamma function for a positive number, to about nine digits. */
export function logGamma(value: number): number {
  // Stirling's series needs a large number: Γ(x) = Γ(x + 6) / (x (x + 1) … (x + 5)).
  let shifted = value;
  let product = 1;
  while (shifted < 6) {
    product *= shifted;
    shifted += 1;
  }
  const inverse = 1 / shifted;
  const square = inverse * inverse;
  const series = inverse * (1 / 12 - square * (1 / 360 - square / 1260));
  return (shifted - 0.5) * Math.log(shifted) - shifted + 0.9189385332046727 + series - Math.log(product);
}
