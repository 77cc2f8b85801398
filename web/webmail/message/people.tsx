// Whom a message is from and to. What they call themselves is theirs to say: it is shown as text, each by itself.
import { plainWords } from '../../ui/plain-words.ts'
import type { Person } from './shapes.ts'

export const nameOf = ({ name, address }: Person): string => plainWords(name ?? '').trim() || address

const UNKNOWN: Person = { name: 'Unknown sender', address: '' }

export const senderOf = (from: Person | null): Person => from ?? UNKNOWN

/** In short, by what they are called; the first of many. `count`: how many there are, if more than are given. */
export function Names({ people, count = people.length }: { people: readonly Person[]; count?: number }) {
  const more = count - MOST_NAMED
  return (
    <>
      {people.slice(0, MOST_NAMED).map((person, i) => (
        <span key={person.address}>
          {i > 0 && ', '}
          <bdi>{nameOf(person)}</bdi>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  )
}

const MOST_NAMED = 3

/** All of them, in full. */
export function Addresses({ people }: { people: readonly Person[] }) {
  return (
    <ul class="plain">
      {people.map(({ name, address }, i) => (
        <li key={i}>
          {name && (
            <>
              <bdi>{plainWords(name)}</bdi>{' '}
            </>
          )}
          <bdi class="soft">{name ? `<${address}>` : address}</bdi>
        </li>
      ))}
    </ul>
  )
}
