// Runs within the frame for PDF files, which has no origin: has the file that the page hands in read in a thread, shows its
// pages as they are scrolled to, and ends the thread when it takes too long.
import { type PdfNotice, readPdf } from './pdf-notice.ts'
import type { ReaderNotice, ReaderTask } from './reader-notice.ts'
import { createSheets, type Sheets } from './sheets.ts'

/** Longer than a file takes that somebody made to be read. */
const MOST_MS = 10_000

const site = new URL((document.currentScript as HTMLScriptElement).src).origin
const tell = (notice: PdfNotice): void => parent.postMessage(notice, site)

const style = new CSSStyleSheet()
style.replaceSync(`
  body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: #16191d; background: #868c96; }
  main { box-sizing: border-box; height: 100vh; overflow: auto; padding: 8px; }
  main:focus-visible { outline: 3px solid #2450c8; outline-offset: -3px; }
  section { position: relative; width: 100%; max-width: 1000px; margin: 0 auto 8px; background: #fff; }
  canvas { position: absolute; width: 100%; height: 100%; object-fit: contain; }
  p { margin: 0; padding: 16px; background: #fff; }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; margin: 0; clip-path: inset(50%); }
`)
document.adoptedStyleSheets = [style]

let wasHanded = false

addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
  const handed = readPdf(data)
  if (!handed || wasHanded || source !== parent || origin !== site) return
  wasHanded = true
  show(handed.pdf, handed.reader)
})

addEventListener('keydown', ({ key, isTrusted, isComposing }) => {
  if (key === 'Escape' && isTrusted && !isComposing) tell({ type: 'escape' })
})

tell({ type: 'ready' })

function show(pdf: ArrayBuffer, script: ArrayBuffer): void {
  const reader = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })))
  let sheets: Sheets | undefined
  let limit = 0
  const end = (why: Extract<PdfNotice, { type: 'fault' }>['why']) => {
    clearTimeout(limit)
    reader.terminate()
    tell({ type: 'fault', why })
  }
  const ask = (task: ReaderTask, handed: Transferable[] = []) => {
    clearTimeout(limit)
    limit = window.setTimeout(end, MOST_MS, 'slow')
    reader.postMessage(task, handed)
  }
  reader.addEventListener('error', () => end('broken'))
  reader.addEventListener('message', ({ data: notice }: MessageEvent<ReaderNotice>) => {
    switch (notice.type) {
      case 'opened':
        clearTimeout(limit)
        tell({ type: 'opened', pages: notice.pages })
        sheets = createSheets(notice, {
          draw: (page, width) => ask({ type: 'draw', page, width }),
          onPage: (page) => tell({ type: 'page', page }),
        })
        return
      case 'drawn':
      case 'undrawn':
        clearTimeout(limit)
        return sheets?.settle(notice)
      case 'partly':
        return tell({ type: 'partly' })
      case 'fault':
        return end(notice.why)
    }
  })
  ask({ type: 'open', pdf }, [pdf])
}
