// Runs within the frame, which has no origin: shows the HTML that the page hands in, and tells how high it is, which keys are
// pressed in it and which links are followed.
import { cleanMail } from './clean-mail.ts'
import { type FrameNotice, isPlainKey, readMail } from './frame-notice.ts'
import { quoteMail } from './quote-mail.ts'

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
/** Of a message that nobody is to follow a link of: what is important counts for more in a layer than without one. */
const plainLinks = new CSSStyleSheet()
plainLinks.replaceSync(`@layer own {
  a, a * { color: inherit !important; background: none !important; text-decoration: none !important; cursor: text !important; }
}`)
document.adoptedStyleSheets = [own]

let told = 0
let turn = 0
function tellHeight(): void {
  if (told++ < MOST_HEIGHTS_TOLD) tell({ type: 'height', turn, height: document.documentElement.scrollHeight })
}
const heights = new ResizeObserver(tellHeight)
// Images. They do not bubble.
addEventListener('load', tellHeight, { capture: true })

addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
  const mail = readMail(data)
  if (!mail || source !== parent || origin !== site) return
  const { html, images, fetched = {} } = mail
  // Which is not shown for it.
  if (mail.quotes) return tell({ type: 'quoted', turn: mail.turn ?? 0, ...quoteMail(html, mail.quotes) })
  const { root, heldBack, misleading, urls } = cleanMail(html, { images, fetched, site })
  heights.disconnect()
  document.adoptedStyleSheets = mail.plainLinks === true ? [own, plainLinks] : [own]
  document.replaceChild(root, document.documentElement)
  told = 0
  turn = mail.turn ?? 0
  heights.observe(document.documentElement)
  if (document.body) heights.observe(document.body)
  tell({ type: 'shown', turn, heldBack, misleading, urls })
  // A frame that is out of sight is not drawn, and its sizes not observed, until it is seen.
  tellHeight()
})

addEventListener('keydown', ({ key, shiftKey, ctrlKey, altKey, metaKey, isTrusted, isComposing }) => {
  const isAlone = !ctrlKey && !altKey && !metaKey && !isComposing
  if (isTrusted && isAlone && isPlainKey(key)) tell({ type: 'key', key, shiftKey })
})

addEventListener('click', ({ target, isTrusted }) => {
  const link = target instanceof Element ? target.closest('a[href]') : null
  if (isTrusted && link) tell({ type: 'link', href: link.getAttribute('href') ?? '' })
})

tell({ type: 'ready' })
