// Runs in a thread of the frame for PDF files: reads the file that it is handed, and draws its pages as images. Nothing of it
// is run or followed: no scripts, forms, links or attachments. It may fetch nothing, and is ended when it takes too long.
import './reader-scope.ts'
import 'pdfjs-dist/legacy/build/pdf.worker.min.mjs'
import {
  AnnotationMode,
  getDocument,
  PasswordException,
  type PdfDocument,
  type PdfPage,
} from 'pdfjs-dist/legacy/build/pdf.min.mjs'
import { pixelsOf, scaleOf } from './page-scale.ts'
import type { ReaderNotice, ReaderTask } from './reader-notice.ts'

/** A4 at 600 dots an inch. */
const MOST_IMAGE_PIXELS = 36_000_000
/** Of one page. */
const MOST_TEXT_CHARACTERS = 20_000

const thread = globalThis as unknown as {
  fonts: FontFaceSet
  addEventListener(type: 'message', hear: (event: MessageEvent<ReaderTask>) => void): void
  postMessage(notice: ReaderNotice, transfer?: Transferable[]): void
}
const tell = (notice: ReaderNotice): void => thread.postMessage(notice)

/** Canvases that no page has. */
class Canvases {
  create(width: number, height: number) {
    const canvas = new OffscreenCanvas(pixelsOf(width), pixelsOf(height))
    return { canvas, context: canvas.getContext('2d', { willReadFrequently: true }) }
  }
  reset({ canvas }: { canvas: OffscreenCanvas }, width: number, height: number): void {
    canvas.width = pixelsOf(width)
    canvas.height = pixelsOf(height)
  }
  destroy(made: { canvas: OffscreenCanvas | null; context: unknown }): void {
    if (made.canvas) made.canvas.width = made.canvas.height = 0
    made.canvas = made.context = null
  }
  getNoAlphaContext(canvas: OffscreenCanvas) {
    return canvas.getContext('2d', { alpha: false, willReadFrequently: true })
  }
}

/** None: pdf.js then does to pixels by itself what it would have the page do. */
class Filters {
  addFilter = none
  addHCMFilter = none
  addAlphaFilter = none
  addLuminosityFilter = none
  addKnockoutFilter = none
  addHighlightHCMFilter = none
  addSelectionHCMFilter = none
  addSelectionFilter = none
  createSelectionStyle = () => null
  destroy(): void {}
}

function none(): string {
  return 'none'
}

/** Tables and decoders that pdf.js has in files of their own, which are not fetched. */
class OtherFiles {
  async fetch({ kind }: { kind: string }): Promise<never> {
    // The fonts that every reader has are drawn by those of the system.
    if (kind !== 'standardFontDataUrl') tell({ type: 'partly' })
    throw new Error('It is not there.')
  }
}

let opened: PdfDocument | undefined

thread.addEventListener('message', ({ data: task }) => {
  if (task.type === 'open') void open(task.pdf)
  else void draw(task.page, task.width)
})

async function open(pdf: ArrayBuffer): Promise<void> {
  try {
    opened = await getDocument({
      data: new Uint8Array(pdf),
      maxImageSize: MOST_IMAGE_PIXELS,
      enableXfa: false,
      useWasm: false,
      useWorkerFetch: false,
      isImageDecoderSupported: false,
      disableWorkerRendering: true,
      CanvasFactory: Canvases,
      FilterFactory: Filters,
      BinaryDataFactory: OtherFiles,
      ownerDocument: { fonts: thread.fonts },
      verbosity: 0,
    }).promise
    const { width, height } = (await opened.getPage(1)).getViewport({ scale: 1 })
    tell({ type: 'opened', pages: opened.numPages, width, height })
  } catch (error) {
    tell({ type: 'fault', why: error instanceof PasswordException ? 'password' : 'broken' })
  }
}

async function draw(number: number, shownWidth: number): Promise<void> {
  let page: PdfPage | undefined
  try {
    page = await opened?.getPage(number)
    if (!page) throw new Error('Nothing is open.')
    const { width, height } = page.getViewport({ scale: 1 })
    const viewport = page.getViewport({ scale: scaleOf(width, height, shownWidth) })
    const canvas = new OffscreenCanvas(pixelsOf(viewport.width), pixelsOf(viewport.height))
    // What is filled into forms, and stamped on pages, is drawn; nothing of it can be pressed.
    await page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE, background: '#fff' }).promise
    const image = canvas.transferToImageBitmap()
    const text = await textOf(page)
    thread.postMessage({ type: 'drawn', page: number, image, width, height, text }, [image])
  } catch {
    tell({ type: 'undrawn', page: number })
  } finally {
    page?.cleanup()
  }
}

/** As it is read aloud. */
async function textOf(page: PdfPage): Promise<string> {
  const pieces = page.streamTextContent().getReader()
  let text = ''
  while (text.length < MOST_TEXT_CHARACTERS) {
    const { value, done } = await pieces.read()
    if (done) return text
    for (const { str = '', hasEOL = false } of value.items) text += hasEOL ? `${str}\n` : str
  }
  await pieces.cancel()
  return text.slice(0, MOST_TEXT_CHARACTERS)
}
