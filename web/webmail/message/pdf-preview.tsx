// A PDF file of a message: fetched by the session, and handed to the frame that shows it.
import { useEffect, useState } from 'preact/hooks'
import { PdfFrame } from '../../ui/pdf/pdf-frame.tsx'
import type { ShowPdf } from '../../ui/pdf/pdf-notice.ts'
import { open } from '../../ui/request.ts'

interface Props {
  /** In plain words. */
  name: string
  path: string
  onEscape(): void
}

export function PdfPreview({ name, path, onEscape }: Props) {
  const [file, setFile] = useState<ShowPdf>()
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    const left = new AbortController()
    const octets = async (of: string) => (await open(of, { signal: left.signal })).arrayBuffer()
    Promise.all([octets(path), octets('/pdf-reader')])
      .then(([pdf, reader]) => setFile({ pdf, reader }))
      .catch((error: Error) => {
        if (!left.signal.aborted) setFault(error.message)
      })
    return () => left.abort()
  }, [path])
  if (fault !== undefined) {
    return (
      <p class="alert" role="alert">
        {fault}
      </p>
    )
  }
  return file ? <PdfFrame name={name} file={file} onEscape={onEscape} /> : <div class="loading" aria-busy="true" />
}
