// The package brings no types of its own.
declare module 'content-disposition' {
  export default function contentDisposition(filename?: string, options?: { type?: 'attachment' | 'inline' }): string
}
