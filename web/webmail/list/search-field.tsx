// The field over the list that finds messages, and what it understands besides words.
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon } from '../../ui/icon.tsx'
import { go } from '../../ui/router.ts'
import { hrefOf, type Place } from '../place.ts'

/** Each with what it finds. */
const OPERATORS = [
  ['from:', 'who it is from'],
  ['to:', 'whom it is for'],
  ['subject:', 'what it is about'],
  ['in:', 'inbox, sent, archive, spam or trash'],
  ['has:attachment', 'with a file'],
  ['is:unread', 'not read yet'],
  ['is:starred', 'with a star'],
  ['before:', 'a day, as 2026-11-01'],
  ['after:', 'a day, as 2026-11-01'],
] as const

export const SEARCH_FIELD = 'search-mail'

export function SearchField({ place }: { place: Place }) {
  const id = useId()
  const [text, setText] = useState(place.q)
  const [isOpen, setOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const whole = useRef<HTMLElement>(null)
  useEffect(() => setText(place.q), [place.list, place.q])

  function search(event: Event): void {
    event.preventDefault()
    const q = text.trim()
    if (q === '') return
    setOpen(false)
    field.current?.blur()
    go(hrefOf({ list: 'search', q, mailbox: place.mailbox }))
  }

  function add(operator: string): void {
    const before = text.trimEnd()
    setText(`${before}${before === '' ? '' : ' '}${operator}${operator.endsWith(':') ? '' : ' '}`)
    field.current?.focus()
  }

  return (
    <search
      ref={whole}
      class="find-mail"
      onFocusOut={({ relatedTarget }) => {
        if (!whole.current?.contains(relatedTarget as Node | null)) setOpen(false)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        setOpen(false)
        field.current?.blur()
      }}
    >
      <form onSubmit={search}>
        <input
          ref={field}
          id={SEARCH_FIELD}
          type="search"
          name="q"
          aria-label="Search mail"
          aria-describedby={isOpen ? id : undefined}
          placeholder="Search mail"
          autoComplete="off"
          spellcheck={false}
          maxLength={2_000}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onFocus={() => setOpen(true)}
        />
        <button type="submit" class="quiet icon-only" aria-label="Search">
          <Icon name="find" />
        </button>
      </form>
      {isOpen && (
        <div class="operators" id={id}>
          <p class="soft">Words find what has all of them. Also:</p>
          <ul class="plain">
            {OPERATORS.map(([operator, words]) => (
              <li key={operator}>
                <button type="button" class="quiet small" onClick={() => add(operator)}>
                  <code>{operator}</code>
                </button>
                <small>{words}</small>
              </li>
            ))}
          </ul>
        </div>
      )}
    </search>
  )
}
