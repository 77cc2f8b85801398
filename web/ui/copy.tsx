// What is there to be taken elsewhere: a click copies it.
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

const SAID_MS = 2_000

/** A link or a key, whole, with the button beside it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const field = useRef<HTMLInputElement>(null)
  const { copied, copy } = useCopy(value, () => field.current?.select())
  // There is nothing else to do with it.
  useEffect(() => field.current?.select(), [value])
  return (
    <div class="taken">
      <input ref={field} readOnly aria-label={label} value={value} onFocus={(event) => event.currentTarget.select()} />
      <button type="button" onClick={copy}>
        <Icon name={copied ? 'check' : 'copy'} />
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}

/** Copies what stands beside it; `isSaid`: what it is shows too, as it stands nowhere else. */
export function CopyButton({ label, value, isSaid = false }: { label: string; value: string; isSaid?: boolean }) {
  const { copied, copy } = useCopy(value, () => {})
  return (
    <button type="button" class="quiet small copy" onClick={copy}>
      <Icon name={copied ? 'check' : 'copy'} />
      {copied ? 'Copied' : 'Copy'}
      <span class={isSaid ? undefined : 'unseen'}> {label}</span>
    </button>
  )
}

/** An id, in short where there is little room. */
export function CopyId({ id, label }: { id: string; label: string }) {
  const { copied, copy } = useCopy(id, () => {})
  return (
    <button type="button" class="quiet small id" title={id} aria-label={`Copy ${label} ${id}`} onClick={copy}>
      <span>{copied ? 'Copied' : id}</span>
    </button>
  )
}

function useCopy(value: string, otherwise: () => void): { copied: boolean; copy(): void } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [copied])
  // Over plain http there is no clipboard: selected, it is copied by the keyboard.
  const copy = () =>
    void (navigator.clipboard?.writeText(value) ?? Promise.reject()).then(() => setCopied(true), otherwise)
  return { copied, copy }
}
