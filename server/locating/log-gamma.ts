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
