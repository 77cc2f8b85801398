// Runs within the frame, which has no origin: shows the HTML that the page hands in, and tells how high it is.
import { cleanMail } from './clean-mail.ts'
import type { FrameNotice, ShowMail } from './frame-notice.ts'

/** A message whose height follows the frame's would have them grow for ever. */
const MOST_HEIGHTS_TOLD = 50

const site = new URL((document.currentScript as HTMLScriptElement).src).origin
const tell = (notice: FrameNotice): void => parent.postMessage(notice, site)

/** On white, whatever the scheme: mail is written for it. In a layer, so that whatever the message says of itself counts. */
const own = new CSSStyleSheet()
own.replaceSync(`@layer own {
  :root { color-scheme: only light; color: #16191d; background: #fff; }
  body { margin: 16px; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
  img { max-width: 100%; }
  img:not([src]) { outline: 1px dashed #858d99; }
}`)
document.adoptedStyleSheets = [own]

let told = 0
const heights = new ResizeObserver(() => {
  if (told++ < MOST_HEIGHTS_TOLD) tell({ type: 'height', height: document.documentElement.scrollHeight })
})

addEventListener('message', ({ source, origin, data }: MessageEvent<ShowMail>) => {
  if (source !== parent || origin !== site) return
  const { root, heldBack, misleading } = cleanMail(data.html, data.images)
  heights.disconnect()
  document.replaceChild(root, document.documentElement)
  told = 0
  heights.observe(document.documentElement)
  if (document.body) heights.observe(document.body)
  tell({ type: 'shown', heldBack, misleading })
})
tell({ type: 'ready' })
