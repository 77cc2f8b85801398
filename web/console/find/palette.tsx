// Goes anywhere by a few words: Ctrl K, or its button. A combobox in a dialog, as the ARIA Authoring Practices have it.
import { signal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FoundList } from '../../../src/servers/console/found-schemas.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useQuery } from '../../ui/query.ts'
import type { PageOf } from '../pages.ts'
import { here } from '../place.ts'
import { useShownPages } from '../shown-pages.ts'
import { addressFor, type Choice, choiceOf, type NamedPage, nextOf, pagesFor } from './choices.ts'

/** While somebody types. */
const REST_MS = 120
const MOST_RECENT = 6
/** There Ctrl K is a key of every text field. */
const IS_MAC = /mac|iphone|ipad/i.test(navigator.platform)
const SHORTCUT = IS_MAC ? '⌘K' : 'Ctrl K'

const isOpen = signal(false)
/** Where one went by it, the latest first; as long as the page is open. */
const recent = signal<readonly Choice[]>([])

/** What opens it. */
export function FindButton() {
  return (
    <button
      type="button"
      class="find"
      aria-keyshortcuts={IS_MAC ? 'Meta+K' : 'Control+K'}
      aria-haspopup="dialog"
      onClick={() => {
        isOpen.value = true
      }}
    >
      <Icon name="find" />
      Find
      <span class="shortcut" aria-hidden="true">
        {SHORTCUT}
      </span>
    </button>
  )
}

/** Stands once in the page. */
export function Palette() {
  // As soon as the page shows.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === 'k' && (IS_MAC ? event.metaKey : event.ctrlKey)
      if (!isShortcut || event.altKey || event.shiftKey) return
      event.preventDefault()
      // Whatever else is asked is answered first.
      if (!document.querySelector('dialog[open]')) isOpen.value = true
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  if (!isOpen.value) return null
  const close = () => {
    isOpen.value = false
  }
  return (
    <Dialog title="Find" onClose={close}>
      <Finder onGone={close} />
    </Dialog>
  )
}

function Finder({ onGone }: { onGone(): void }) {
  const id = useId()
  const [text, setText] = useState('')
  const { choices, isLooking } = useChoices(text)
  const [chosen, setChosen] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const at = Math.min(chosen, choices.length - 1)

  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] as 1 | -1 | undefined
    if (step !== undefined) {
      event.preventDefault()
      setChosen(nextOf(at, step, choices.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const link = list.current?.children[at] as HTMLAnchorElement | undefined
      const choice = choices[at]
      if (!link || !choice) return
      if (event.ctrlKey || event.metaKey) {
        remember(choice)
        open(link.href, '_blank', 'noopener')
      } else link.click()
    }
  }

  const listId = `${id}-list`
  const status = choices.length === 1 ? '1 result' : `${choices.length} results`
  return (
    <div class="finder stack">
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label="Page, message, address, endpoint or id"
        aria-expanded={choices.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={choices.length > 0 ? `${id}-${at}` : undefined}
        placeholder="Page, message, address, endpoint or id"
        autoComplete="off"
        spellcheck={false}
        maxLength={200}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={listId} role="listbox" aria-label="Results">
        {choices.map((choice, i) => (
          <a
            key={choice.href + choice.words}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === at}
            tabIndex={-1}
            href={choice.href}
            onClick={(event) => {
              remember(choice)
              if (!event.ctrlKey && !event.metaKey && !event.shiftKey) onGone()
            }}
          >
            <span class="words">
              <bdi>{choice.words}</bdi>
              {choice.about && (
                <small class="soft">
                  <bdi>{choice.about}</bdi>
                </small>
              )}
            </span>
            <small class="kind soft">{choice.kind}</small>
          </a>
        ))}
      </div>
      <p class="soft" role="status">
        {isLooking ? 'Looking…' : choices.length > 0 ? status : 'Nothing found.'}
      </p>
    </div>
  )
}

/** At once what needs no server, and what it finds as soon as nothing was typed for a moment. */
function useChoices(text: string): { choices: readonly Choice[]; isLooking: boolean } {
  const wanted = text.trim()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const rest = setTimeout(() => setAsked(wanted), REST_MS)
    return () => clearTimeout(rest)
  }, [wanted])
  const isAsked = asked !== '' && asked === wanted
  const { data, fault } = useQuery<FoundList>(
    isAsked ? here(`/data/find?${new URLSearchParams({ q: asked })}`) : undefined,
  )
  const shown = useShownPages()
  const pages = pagesFor(wanted, namedPages(shown), here)
  if (wanted === '') return { choices: alone([...recent.value, ...pages]), isLooking: false }
  const found = isAsked && data ? data.items.map((item) => choiceOf(item, here)) : []
  return {
    choices: alone([...pages, ...addressFor(wanted, here), ...found]),
    isLooking: !isAsked || (!data && !fault),
  }
}

const namedPages = (shown: readonly PageOf[]): NamedPage[] => [
  ...shown.flatMap(({ path, label, words, isFor = () => true }) =>
    label && isFor() ? [{ path, label, also: words }] : [],
  ),
  { path: '/account', label: 'Account', also: 'password passkeys sessions notices' },
]

/** Each place once. */
function alone(choices: readonly Choice[]): Choice[] {
  return [...new Map(choices.map((choice) => [choice.href, choice])).values()]
}

function remember(choice: Choice): void {
  recent.value = alone([choice, ...recent.value]).slice(0, MOST_RECENT)
}
