// Where the parts of bars stand over one another. Pure.

export interface BarPart {
  /** Of the whole height, from the top, from 0 to 1. */
  top: number
  height: number
}

/** Each bar's parts, the first at the bottom, as high as they are of the highest bar. Less than nothing is nothing. */
export function stackParts(bars: readonly (readonly number[])[]): BarPart[][] {
  const heights = bars.map((values) => values.map((value) => Math.max(0, value)))
  const highest = Math.max(0, ...heights.map(sum))
  return heights.map((values) => {
    let bottom = 1
    return values.map((value) => {
      const height = highest === 0 ? 0 : value / highest
      bottom -= height
      return { top: Math.max(0, bottom), height }
    })
  })
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
