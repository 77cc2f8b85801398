// What the page and its frame for PDF files tell each other. What the frame says is taken for what it is: whoever wrote the
// file may have said it. Pure.

/** To the frame, once it has said that it is ready. Both are handed over. */
export interface ShowPdf {
  pdf: ArrayBuffer
  /** The script that reads it, for a thread of its own. */
  reader: ArrayBuffer
}

export const FAULTS = ['broken', 'password', 'slow'] as const
export type PdfFault = (typeof FAULTS)[number]

/** From the frame. */
export type PdfNotice =
  | { type: 'ready' }
  | { type: 'opened'; pages: number }
  /** Which one is looked at, from 1. */
  | { type: 'page'; page: number }
  /** What this reader does not know is left out of what is shown. */
  | { type: 'partly' }
  | { type: 'fault'; why: PdfFault }
  /** Escape was pressed while the frame had the focus. */
  | { type: 'escape' }

/** More than anybody counts. */
export const MOST_PAGES = 100_000

/** What the page says that is a file to show; whatever else somebody says to frames is not. */
export function readPdf(data: unknown): ShowPdf | undefined {
  const { pdf, reader } = asRecord(data)
  return pdf instanceof ArrayBuffer && reader instanceof ArrayBuffer ? { pdf, reader } : undefined
}

/** Undefined when it is nothing of the kind. */
export function readNotice(data: unknown): PdfNotice | undefined {
  const { type, pages, page, why } = asRecord(data)
  if (type === 'ready' || type === 'partly' || type === 'escape') return { type }
  if (type === 'opened' && isPageNumber(pages)) return { type, pages }
  if (type === 'page' && isPageNumber(page)) return { type, page }
  if (type === 'fault') return { type, why: FAULTS.find((fault) => fault === why) ?? 'broken' }
  return undefined
}

const asRecord = (data: unknown): Record<string, unknown> =>
  typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}

const isPageNumber = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MOST_PAGES
