// What a list is narrowed by. Each filter lives in the page's URL, so that a link leads to the same list.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { fromLocal, toLocal } from './local-time.ts'
import { go, path, query } from './router.ts'

/** While somebody types. */
const REST_MS = 250

/** Without a value the filter goes. Every filter begins the list anew. */
export function setFilter(name: string, value: string): void {
  const next = new URLSearchParams(query())
  if (value === '') next.delete(name)
  else next.set(name, value)
  go(`${path()}${next.size > 0 ? `?${next}` : ''}`, { replace: true })
}

/** What the URL has of these, as the query of a data request: `status=failed&since=…`, or nothing. */
export function filtersOf(...names: readonly string[]): string {
  const given = query()
  const taken = new URLSearchParams()
  for (const name of names) for (const value of given.getAll(name)) taken.append(name, value)
  return String(taken)
}

interface FiltersProps {
  /** All that are offered: they can be taken away together. */
  names: readonly string[]
  children: ComponentChildren
}

/** On a phone they stand behind a button, which says how many are applied. */
export function Filters({ names, children }: FiltersProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const given = query()
  const applied = names.filter((name) => given.has(name)).length
  return (
    <search class={open ? 'filters open' : 'filters'}>
      <button type="button" class="opener" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {applied > 0 ? `Filters (${applied})` : 'Filters'}
      </button>
      <div class="fields" id={id}>
        {children}
        {applied > 0 && (
          <button type="button" class="quiet" onClick={() => go(without(names), { replace: true })}>
            Clear filters
          </button>
        )}
      </div>
    </search>
  )
}

function without(names: readonly string[]): string {
  const next = new URLSearchParams(query())
  for (const name of names) next.delete(name)
  return `${path()}${next.size > 0 ? `?${next}` : ''}`
}

interface FilterProps {
  label: string
  name: string
}

interface TextFilterProps extends FilterProps {
  placeholder?: string
  /** What nothing is found by a part of: how the whole looks, and what it is called. */
  whole?: { pattern: RegExp; words: string }
}

/** Applied as it is typed; what makes sense only whole, once it is. */
export function TextFilter({ label, name, placeholder, whole }: TextFilterProps) {
  const id = useId()
  const applied = query().get(name) ?? ''
  const [typed, setTyped] = useState(applied)
  const own = useRef(applied)
  const isPart = whole !== undefined && typed.trim() !== '' && !whole.pattern.test(typed.trim())
  // Taken away by a button, or brought by a link.
  useEffect(() => {
    if (applied !== own.current) setTyped(applied)
    own.current = applied
  }, [applied])
  useEffect(() => {
    // What the URL came with stays, for the list to say what is wrong with it.
    if (typed.trim() === own.current) return
    const value = isPart ? '' : typed.trim()
    if (value === own.current) return
    const timer = setTimeout(() => {
      own.current = value
      setFilter(name, value)
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isPart && `: ${whole.words}`}
      </label>
      <input
        id={id}
        type="search"
        aria-invalid={isPart ? 'true' : undefined}
        value={typed}
        placeholder={placeholder}
        autoComplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </div>
  )
}

interface ChoiceProps extends FilterProps {
  /** Each value with its words. */
  options: readonly (readonly [value: string, words: string])[]
  /** Of no choice. */
  all: string
}

export function ChoiceFilter({ label, name, options, all }: ChoiceProps) {
  const id = useId()
  const chosen = query().get(name) ?? ''
  const isOffered = chosen === '' || options.some(([value]) => value === chosen)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={chosen} onChange={({ currentTarget }) => setFilter(name, currentTarget.value)}>
        <option value="">{all}</option>
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
        {!isOffered && <option value={chosen}>{chosen}</option>}
      </select>
    </div>
  )
}

/** An instant, chosen by the viewer's own clock; the URL has it in UTC. */
export function TimeFilter({ label, name }: FilterProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        value={toLocal(query().get(name) ?? '')}
        onChange={({ currentTarget }) => setFilter(name, fromLocal(currentTarget.value))}
      />
    </div>
  )
}
