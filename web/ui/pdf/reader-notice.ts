// What the frame for PDF files and the thread that reads them tell each other. Types alone.
import type { PdfFault } from './pdf-notice.ts'

/** To the thread: first the file, then which pages it is to draw, one after the other. */
export type ReaderTask =
  | { type: 'open'; pdf: ArrayBuffer }
  /** `width`: in pixels. */
  | { type: 'draw'; page: number; width: number }

/** From the thread. Sizes are in units of the page. */
export type ReaderNotice =
  | { type: 'opened'; pages: number; width: number; height: number }
  | { type: 'drawn'; page: number; image: ImageBitmap; width: number; height: number; text: string }
  /** That page cannot be drawn; others may. */
  | { type: 'undrawn'; page: number }
  | { type: 'partly' }
  | { type: 'fault'; why: PdfFault }
