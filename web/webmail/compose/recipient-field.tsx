// A field for addresses: those that are whole stand in it one by one, and whom one has written with is offered as one types
// (ARIA Authoring Practices, combobox with a listbox).
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { faultInWords } from '../../ui/fault-in-words.ts'
import { Icon } from '../../ui/icon.tsx'
import { plainWords } from '../../ui/plain-words.ts'
import {
  endsAnAddress,
  looksLikeAddress,
  type Recipient,
  recipientsIn,
  withoutDoubles,
  written,
} from './mail-addresses.ts'
import { useSuggestions } from './suggestions.ts'

interface Props {
  label: string
  people: readonly Recipient[]
  mailboxId: string
  /** What is wrong with them, by where they stand; by -1 with all of them. */
  faults: ReadonlyMap<number, string>
  /** It was just asked for: one writes there next. */
  isAskedFor?: boolean
  onChange(people: Recipient[]): void
}

export function RecipientField({ label, people, mailboxId, faults, isAskedFor = false, onChange }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(-1)
  const [isClosed, setClosed] = useState(false)
  const [said, setSaid] = useState('')
  // What is being typed is kept with the draft, behind those that are whole.
  const typed = recipientsIn(text)
  const whole = people.slice(0, Math.max(0, people.length - typed.length))
  const found = useSuggestions(mailboxId, text, whole)
  const isOpen = found.length > 0 && !isClosed && text.trim() !== ''

  const change = (chosen: readonly Recipient[], left = '') => {
    setText(left)
    setAt(-1)
    setClosed(false)
    onChange([...withoutDoubles(chosen), ...recipientsIn(left)])
  }
  const add = (more: readonly Recipient[]) => {
    if (more.length > 0) setSaid(`${more.map(nameOf).join(', ')} added`)
    change([...whole, ...more])
  }
  const remove = (index: number) => {
    const gone = whole[index]
    if (gone) setSaid(`${nameOf(gone)} removed`)
    change(
      whole.filter((_, i) => i !== index),
      text,
    )
    input.current?.focus()
  }
  /** It becomes text again, to be changed. */
  const edit = (index: number) => {
    const one = whole[index]
    if (!one) return
    change([...whole.filter((_, i) => i !== index), ...typed], written(one))
    input.current?.focus()
  }

  // What came otherwise than by typing here.
  const isTyped = typed.every((one, i) => one.address === people[people.length - typed.length + i]?.address)
  useEffect(() => {
    if (!isTyped) setText('')
  }, [isTyped])

  useEffect(() => {
    if (isAskedFor) input.current?.focus()
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const chosen = isOpen ? found[at] : undefined
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        if (found.length === 0) return
        event.preventDefault()
        if (!isOpen) return setClosed(false)
        const step = event.key === 'ArrowDown' ? 1 : -1
        return setAt(at < 0 && step < 0 ? found.length - 1 : (at + step + found.length) % found.length)
      }
      case 'Enter':
        if (event.ctrlKey || event.metaKey) return
        event.preventDefault()
        return chosen ? add([chosen]) : add(typed)
      case 'Tab':
        if (chosen && !event.shiftKey) add([chosen])
        return
      case 'Escape':
        if (!isOpen) return
        event.stopPropagation()
        event.preventDefault()
        setAt(-1)
        return setClosed(true)
      case 'Backspace':
        if (text !== '' || event.repeat) return
        event.preventDefault()
        return edit(whole.length - 1)
    }
  }
  const onInput = (value: string) => {
    setAt(-1)
    setClosed(false)
    if (endsAnAddress(value)) return add(recipientsIn(value))
    setText(value)
    onChange([...whole, ...recipientsIn(value)])
  }
  const onPaste = (event: ClipboardEvent) => {
    const pasted = recipientsIn(event.clipboardData?.getData('text/plain') ?? '')
    const isList = pasted.length > 1 || pasted.some(({ address }) => looksLikeAddress(address))
    if (text !== '' || !isList) return
    event.preventDefault()
    add(pasted)
  }

  const faultOf = (one: Recipient, i: number): string | undefined =>
    faults.get(i) ?? (looksLikeAddress(one.address) ? undefined : 'is no mail address')
  const wrong = whole.flatMap((one, i) => {
    const words = faultOf(one, i)
    return words === undefined ? [] : [faultInWords(`“${plainWords(one.address)}”`, words)]
  })
  const ofAll = faults.get(-1)
  const words = [...(ofAll === undefined ? [] : [faultInWords(label, ofAll)]), ...wrong]

  return (
    <div class="field recipients">
      <label for={id}>{label}</label>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: whoever clicks beside the field means it; by keys it is reached itself */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div class="chips" onClick={({ target, currentTarget }) => target === currentTarget && input.current?.focus()}>
        {whole.map((one, i) => (
          <span key={`${i} ${one.address}`} class={faultOf(one, i) === undefined ? 'chip' : 'chip wrong'}>
            <button
              type="button"
              class="name"
              aria-label={plainWords(
                `${nameOf(one)}${one.name === null ? '' : ` ${one.address}`}${faultOf(one, i) === undefined ? '' : ', not right'}`,
              )}
              title={`${written(one)}: press to change it`}
              onClick={() => edit(i)}
            >
              <bdi>{plainWords(nameOf(one))}</bdi>
            </button>
            <button
              type="button"
              class="remove"
              aria-label={`Remove ${plainWords(nameOf(one))}`}
              onClick={() => remove(i)}
            >
              <Icon name="close" />
            </button>
          </span>
        ))}
        <input
          ref={input}
          id={id}
          value={text}
          dir="auto"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-found` : undefined}
          aria-activedescendant={isOpen && at >= 0 ? `${id}-${at}` : undefined}
          aria-invalid={words.length > 0 ? 'true' : undefined}
          aria-describedby={words.length > 0 ? `${id}-about` : undefined}
          inputMode="email"
          autoComplete="off"
          autoCapitalize="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => text !== '' && change([...whole, ...typed])}
        />
      </div>
      {isOpen && (
        <div id={`${id}-found`} class="found" role="listbox" aria-label={`People for ${label}`}>
          {found.map((one, i) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus, and names the one that keys are at
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's
            <div
              key={one.address}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === at}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => add([one])}
            >
              {one.name && <bdi>{plainWords(one.name)}</bdi>} <bdi class="soft">{one.address}</bdi>
            </div>
          ))}
        </div>
      )}
      {words.length > 0 && (
        <p id={`${id}-about`} class="fault" role="alert">
          {words.join(' ')}
        </p>
      )}
      <span class="unseen" role="status">
        {said}
      </span>
    </div>
  )
}

const nameOf = ({ name, address }: Recipient): string => name ?? address
