/** Divide integers and round half to even, so that many small roundings do not drift upwards. */
export function divideHalfEven(numerator: number, denominator: number): number {
  const quotient = Math.floor(numerator / denominator);
  const twice = (numerator - quotient * denominator) * 2;
  if (twice > denominator || (twice === denominator && quotient % 2 !== 0)) {
    return quotient + 1;
  }
  return quotient;
}

/**
 * Split an amount into parts in proportion to weights without losing a cent: everyone gets the whole part,
 * and the cents left over go to the largest remainders, the earlier position first.
 */
export function allocate(amount: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) {
    return weights.map(() => 0);
  }
  const shares = weights.map((weight, position) => {
    const exact = amount * weight;
    const whole = Math.floor(exact / total);
    return { position, whole, remainder: exact - whole * total };
  });
  let left = amount - shares.reduce((sum, share) => sum + share.whole, 0);
  const byRemainder = [...shares].sort((a, b) => b.remainder - a.remainder || a.position - b.position);
  for (const share of byRemainder) {
    if (left === 0) {
      break;
    }
    share.whole += 1;
    left -= 1;
  }
  return shares.map((share) => share.whole);
}

/** Cash is paid in steps of five in some countries; the till rounds the total, not the lines. */
export function roundToStep(minor: number, step: number): number {
  return divideHalfEven(minor, step) * step;
}
