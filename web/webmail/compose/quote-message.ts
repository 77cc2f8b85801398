// Has a stranger's HTML cleaned for quoting where it may be read: in the frame, by the parser that would show it there. This page
// never parses it. What comes back is a string that goes into the draft, and into a frame again.
import { type Quotation, readNotice, type ShowMail } from '../../ui/mail/frame-notice.ts'
import { MAIL_SANDBOX } from '../../ui/mail/mail-frame.tsx'

/** A frame that takes longer is given up. */
const WITHIN_MS = 15_000

/** `files`: the ids of the files that go along, by what `cid:` names in the HTML. @throws Error when it is not to be had */
export function quoteMessage(html: string, files: Readonly<Record<string, string>>): Promise<Quotation> {
  const frame = document.createElement('iframe')
  frame.className = 'unseen'
  frame.title = 'Quoted text'
  frame.tabIndex = -1
  frame.setAttribute('aria-hidden', 'true')
  frame.setAttribute('sandbox', MAIL_SANDBOX)
  frame.src = '/frame'
  return new Promise<Quotation>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('message', hear)
      frame.remove()
    }
    const timer = setTimeout(() => {
      end()
      reject(new Error('The message could not be quoted. Try again in a moment.'))
    }, WITHIN_MS)
    const hear = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== frame.contentWindow || origin !== 'null') return
      const notice = readNotice(data)
      // A page without an origin cannot be named as the one that is to hear it.
      if (notice?.type === 'ready') {
        frame.contentWindow?.postMessage({ html, images: {}, quotes: files } satisfies ShowMail, '*')
      }
      if (notice?.type !== 'quoted') return
      end()
      resolve({ html: notice.html, text: notice.text })
    }
    addEventListener('message', hear)
    document.body.append(frame)
  })
}
