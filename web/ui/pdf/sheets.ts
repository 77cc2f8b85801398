// The pages of a PDF file as they are scrolled through: each is drawn when it comes near, and let go of when it is far.
import { ratioOf } from './page-scale.ts'
import type { ReaderNotice } from './reader-notice.ts'

/** Whoever reads on downloads the file. */
const MOST_SHEETS = 500
/** With their images: 16 MB each at most. */
const MOST_DRAWN = 6
/** Beyond that nobody sees more. */
const MOST_PIXEL_RATIO = 2

interface Told {
  /** Asks for a page, from 1; one at a time. `width`: in pixels. */
  draw(page: number, width: number): void
  /** Hears which page is looked at. */
  onPage(page: number): void
}

export interface Sheets {
  settle(notice: Extract<ReaderNotice, { type: 'drawn' | 'undrawn' }>): void
}

type Opened = Extract<ReaderNotice, { type: 'opened' }>
interface Sheet {
  element: HTMLElement
  state: 'empty' | 'drawn' | 'undrawn'
}

/** Shows them in the document, empty at first. */
export function createSheets({ pages, width, height }: Opened, { draw, onPage }: Told): Sheets {
  const root = document.createElement('main')
  root.tabIndex = 0
  root.ariaLabel = 'Pages'
  const sheets = Array.from({ length: Math.min(pages, MOST_SHEETS) }, (_, i): Sheet => {
    const element = document.createElement('section')
    element.style.aspectRatio = String(ratioOf(width, height))
    element.append(unseen('h2', `Page ${i + 1} of ${pages}`))
    return { element, state: 'empty' }
  })
  root.append(...sheets.map(({ element }) => element))
  if (pages > sheets.length) {
    const more = document.createElement('p')
    more.textContent = `These are the first ${sheets.length} of ${pages} pages. Download the file to see the others.`
    root.append(more)
  }
  document.body.replaceChildren(root)

  /** From 0. */
  let [current, drawing] = [0, -1]
  const near = new Set<number>()
  const drawNext = () => {
    if (drawing >= 0) return
    const wanted = [...near].filter((i) => sheets[i]?.state === 'empty').sort(byDistance)
    drawing = wanted[0] ?? -1
    if (drawing >= 0) draw(drawing + 1, Math.ceil(root.clientWidth * Math.min(devicePixelRatio, MOST_PIXEL_RATIO)))
  }
  const byDistance = (one: number, other: number) => Math.abs(one - current) - Math.abs(other - current)
  const letGo = () => {
    const drawn = sheets.flatMap(({ state }, i) => (state === 'drawn' ? i : [])).sort(byDistance)
    for (const i of drawn.slice(MOST_DRAWN)) {
      const sheet = sheets[i]
      if (!sheet) continue
      sheet.state = 'empty'
      sheet.element.querySelector('canvas')?.remove()
    }
  }

  const places = new Map(sheets.map(({ element }, i) => [element as Element, i]))
  const watched = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) {
        const i = places.get(target) ?? 0
        if (isIntersecting) near.add(i)
        else near.delete(i)
      }
      drawNext()
    },
    // A page is there before it is scrolled to.
    { root, rootMargin: '50% 0px' },
  )
  for (const { element } of sheets) watched.observe(element)

  root.addEventListener('scroll', () => {
    const middle = root.scrollTop + root.clientHeight / 2
    const before = current
    current = lastAbove(middle, sheets)
    if (current !== before) onPage(current + 1)
  })
  onPage(1)

  return {
    settle(notice) {
      const i = notice.page - 1
      const sheet = sheets[i]
      drawing = -1
      if (sheet && notice.type === 'drawn') {
        fill(sheet.element, notice)
        sheet.state = 'drawn'
        letGo()
      } else if (sheet) {
        const words = document.createElement('p')
        words.textContent = 'This page cannot be shown.'
        sheet.element.append(words)
        sheet.state = 'undrawn'
      }
      drawNext()
    },
  }
}

function fill(element: HTMLElement, { image, width, height, text }: Extract<ReaderNotice, { type: 'drawn' }>): void {
  const canvas = document.createElement('canvas')
  canvas.width = image.width
  canvas.height = image.height
  canvas.ariaHidden = 'true'
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(image)
  element.style.aspectRatio = String(ratioOf(width, height))
  const [heading] = element.children
  element.replaceChildren(...(heading ? [heading] : []), canvas, unseen('div', text))
}

/** For whoever has pages read aloud. */
function unseen(tag: 'h2' | 'div', text: string): HTMLElement {
  const element = document.createElement(tag)
  element.className = 'unseen'
  element.textContent = text
  return element
}

/** The last of them that begins above this height, by halves: there may be many. */
function lastAbove(height: number, sheets: readonly Sheet[]): number {
  let [from, to] = [0, sheets.length - 1]
  while (from < to) {
    const middle = Math.ceil((from + to) / 2)
    if ((sheets[middle]?.element.offsetTop ?? 0) <= height) from = middle
    else to = middle - 1
  }
  return from
}
