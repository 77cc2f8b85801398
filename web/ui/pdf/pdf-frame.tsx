// Shows a stranger's PDF file, in a frame without an origin that fetches nothing and runs nothing of it.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type PdfFault, readNotice, type ShowPdf } from './pdf-notice.ts'

/** With `allow-same-origin` it would be this page. It opens no window and goes nowhere. */
const SANDBOX = 'allow-scripts'

/** Longer than the frame itself gives a file: it may have come to nothing. */
const MOST_MS_TO_OPEN = 20_000

const FAULTS: Record<PdfFault, string> = {
  broken: 'This file is broken. Download it to open it by another program.',
  password: 'This file is locked by a password. Download it to open it.',
  slow: 'This file takes too long to be shown. Download it to see it.',
}

/** `name`: of the file, in plain words. `file` is handed over: another one needs another frame. */
export function PdfFrame({ name, file, onEscape }: { name: string; file: ShowPdf; onEscape(): void }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const escaped = useRef(onEscape)
  escaped.current = onEscape
  const [pages, setPages] = useState<number>()
  const [page, setPage] = useState(1)
  const [isPartly, setPartly] = useState(false)
  const [fault, setFault] = useState<PdfFault>()
  const hadFocus = useRef(false)

  // Before it can have loaded.
  useLayoutEffect(() => {
    let isHanded = false
    const limit = setTimeout(setFault, MOST_MS_TO_OPEN, 'slow')
    const hear = ({ source, origin, data }: MessageEvent<unknown>) => {
      const shown = frame.current
      if (!shown || source !== shown.contentWindow || origin !== 'null') return
      const notice = readNotice(data)
      switch (notice?.type) {
        case 'ready':
          if (isHanded) return
          isHanded = true
          // A page without an origin cannot be named as the one that is to hear it.
          return shown.contentWindow?.postMessage(file, '*', [file.pdf, file.reader])
        case 'opened':
          clearTimeout(limit)
          return setPages(notice.pages)
        case 'page':
          return setPage(notice.page)
        case 'partly':
          return setPartly(true)
        case 'fault':
          clearTimeout(limit)
          hadFocus.current = document.activeElement === shown
          return setFault(notice.why)
        case 'escape':
          return document.activeElement === shown && escaped.current()
      }
    }
    addEventListener('message', hear)
    return () => {
      clearTimeout(limit)
      removeEventListener('message', hear)
    }
  }, [])

  // The words have the focus of what they take the place of.
  const words = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (fault && hadFocus.current) words.current?.focus()
  }, [fault])

  if (fault) {
    return (
      <p ref={words} class="alert" role="alert" tabIndex={-1}>
        {FAULTS[fault]}
      </p>
    )
  }
  const where = pages === undefined ? undefined : `page ${Math.min(page, pages)} of ${pages}`
  return (
    <>
      {isPartly && <p class="alert">Some of this file cannot be shown here. Download it to see all of it.</p>}
      <iframe
        ref={frame}
        class="pdf"
        title={where ? `Preview of ${name}, ${where}` : `Preview of ${name}`}
        sandbox={SANDBOX}
        src="/pdf-frame"
        aria-busy={pages === undefined ? 'true' : undefined}
      />
      <small class="soft">{where ? `P${where.slice(1)}` : 'Opening'}</small>
    </>
  )
}
