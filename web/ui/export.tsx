// Saves a list as a file, row for row as it is narrowed: how far it is shows meanwhile, and it can be called off.
import { useEffect, useRef, useState } from 'preact/hooks'
import { CutOff, readCsv } from './csv-file.ts'
import { open } from './request.ts'
import { toast } from './toast.tsx'

const number = new Intl.NumberFormat('en')
const SHOWN_EVERY_MS = 100

/** `path`: of the export, with the filters of the list. */
export function ExportCsv({ path }: { path: string }) {
  /** While it runs. */
  const [rows, setRows] = useState<number | undefined>(undefined)
  const [fault, setFault] = useState<string | undefined>(undefined)
  const running = useRef<AbortController | undefined>(undefined)
  const cancel = () => running.current?.abort()
  useEffect(() => cancel, [])

  async function run(): Promise<void> {
    const stop = new AbortController()
    running.current = stop
    setRows(0)
    setFault(undefined)
    let shownAt = 0
    try {
      const saved = await download(path, stop.signal, (rows) => {
        if (performance.now() - shownAt < SHOWN_EVERY_MS) return
        shownAt = performance.now()
        setRows(rows)
      })
      toast(`Saved ${saved.name} with ${inWords(saved.rows)}.`)
    } catch (error) {
      if (!stop.signal.aborted) setFault(wordsOf(error as Error))
    }
    if (!stop.signal.aborted) setRows(undefined)
  }

  if (rows === undefined) {
    return (
      <>
        {fault && (
          <p role="alert" class="alert bad">
            {fault}
          </p>
        )}
        <button type="button" onClick={() => void run()}>
          Export CSV
        </button>
      </>
    )
  }
  return (
    <>
      <span aria-live="off">Exporting: {inWords(rows)} so far</span>
      <button
        type="button"
        onClick={() => {
          cancel()
          setRows(undefined)
        }}
      >
        Cancel<span class="unseen"> export</span>
      </button>
    </>
  )
}

const inWords = (rows: number): string => `${number.format(rows)} ${rows === 1 ? 'row' : 'rows'}`

/** A file that is not whole is never kept. */
const wordsOf = (error: Error): string =>
  error instanceof CutOff || error instanceof TypeError
    ? 'The export broke off, and nothing was saved. Try again, or narrow the list.'
    : error.message

/** @throws Refusal, CutOff, and what the connection throws */
async function download(
  path: string,
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<{ name: string; rows: number }> {
  const mark = `end-${Array.from(crypto.getRandomValues(new Uint32Array(3)), (word) => word.toString(36)).join('-')}`
  const response = await open(`${path}${path.includes('?') ? '&' : '?'}mark=${mark}`, { signal })
  const name = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'export.csv'
  const { blob, rows } = await readCsv(response.body as ReadableStream<Uint8Array>, mark, onRows)
  save(blob, name)
  return { name, rows }
}

/** Long enough for the browser to take it up. */
const TAKEN_UP_MS = 60_000

function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), TAKEN_UP_MS)
}
