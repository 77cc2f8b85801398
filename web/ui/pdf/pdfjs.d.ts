// What we use of pdf.js, whose own types know only what runs within a page.
declare module 'pdfjs-dist/legacy/build/pdf.worker.min.mjs'

declare module 'pdfjs-dist/legacy/build/pdf.min.mjs' {
  export interface PdfDocument {
    numPages: number
    /** From 1. */
    getPage(number: number): Promise<PdfPage>
  }

  export interface Viewport {
    width: number
    height: number
  }

  export interface PdfPage {
    getViewport(options: { scale: number }): Viewport
    render(options: { canvas: OffscreenCanvas; viewport: Viewport; annotationMode: number; background: string }): {
      promise: Promise<void>
    }
    streamTextContent(): ReadableStream<{ items: { str?: string; hasEOL?: boolean }[] }>
    cleanup(): void
  }

  export const AnnotationMode: { readonly ENABLE: number }
  export class PasswordException extends Error {}
  export function getDocument(options: Readonly<Record<string, unknown>>): { promise: Promise<PdfDocument> }
}
