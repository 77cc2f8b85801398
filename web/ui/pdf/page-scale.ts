// How large a page of a PDF file is drawn: as wide as is shown, within what a canvas may cost, whatever the file says. Pure.

/** 16 MB of memory. */
export const MOST_PIXELS = 4_000_000
export const MOST_SIDE = 8_192

/** `width`, `height`: of the page, in its own units; `shownWidth`: in pixels. What pages are multiplied by. */
export function scaleOf(width: number, height: number, shownWidth: number): number {
  return Math.min(shownWidth / width, Math.sqrt(MOST_PIXELS / (width * height)), MOST_SIDE / Math.max(width, height))
}

/** A canvas has a pixel in each direction at least, however narrow its page. */
export function pixelsOf(length: number): number {
  return Math.max(1, Math.min(Math.floor(length), MOST_SIDE))
}

/** Width by height, of what is shown of it: a page that is ever so long is not scrolled through for ever. */
export function ratioOf(width: number, height: number): number {
  const ratio = width / height
  return Number.isFinite(ratio) ? Math.min(Math.max(ratio, 1 / 4), 8) : 1
}
