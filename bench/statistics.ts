// What benches make of their measurements.

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value below which so great a part of them lies; 1: the greatest. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

/** With two decimals. */
export function ratio(a: number, b: number): number {
  return Math.round((a / b) * 100) / 100
}
