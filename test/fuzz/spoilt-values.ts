// What goes wrong with values on their way: members lost and added, values of another kind, too long, or such as no
// honest program sends. Knows no schema.
import fc from 'fast-check'

/** JSON that is almost `value`: something about one place in it is different. */
export function spoilt(value: unknown): fc.Arbitrary<unknown> {
  return fc
    .record({ place: fc.nat(), change: fc.constantFrom(...CHANGES), name: oddNames(), odd: oddValues() })
    .map(({ place, change, name, odd }) => {
      const root = { value: structuredClone(value) }
      const places = placesIn(root)
      change(places[place % places.length] as Place, name, odd)
      return root.value
    })
}

/** Text for a parameter. */
export function oddTexts(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      ...['', ' ', '0', '-1', '101', '1e1', '0x1', '5.0', '+5', '٣', 'null', 'true', 'undefined', '[]', '{}'],
    ),
    fc.constantFrom(
      '\u0000',
      '../..',
      '..%2f',
      "' or 1=1 --",
      '{{7*7}}',
      'x'.repeat(600),
      '9'.repeat(40),
      '2026-01-01',
      'é',
    ),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary-ascii' }),
    fc.uuid().map((id) => `${id}x`),
  )
}

interface Place {
  holder: Record<string, unknown>
  name: string
}

type Change = (place: Place, name: string, odd: unknown) => void

const replace: Change = (place, _name, odd) => put(place.holder, place.name, odd)

const remove: Change = ({ holder, name }) => {
  if (Array.isArray(holder)) holder.splice(Number(name), 1)
  else delete holder[name]
}

const add: Change = ({ holder, name }, more, odd) => {
  const at = holder[name]
  if (Array.isArray(at)) at.push(odd)
  else if (typeof at === 'object' && at !== null) put(at as Record<string, unknown>, more, odd)
  else put(holder, Array.isArray(holder) ? name : more, odd)
}

const stretch: Change = ({ holder, name }) => {
  const at = holder[name]
  if (typeof at === 'string') put(holder, name, `${at}${'x'.repeat(1_000)}`)
  else if (Array.isArray(at))
    put(
      holder,
      name,
      Array.from({ length: 51 }, (_, i) => at[i % at.length] ?? null),
    )
  else put(holder, name, [at])
}

const shorten: Change = ({ holder, name }) => {
  const at = holder[name]
  if (typeof at === 'string') put(holder, name, at.slice(0, -1))
  else put(holder, name, Array.isArray(at) ? [] : {})
}

const CHANGES = [replace, replace, remove, add, stretch, shorten]

/** Also for `__proto__`, which an assignment takes for something else. */
function put(holder: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
}

function placesIn(holder: object): Place[] {
  return Object.entries(holder).flatMap(([name, value]) => [
    { holder: holder as Record<string, unknown>, name },
    ...(typeof value === 'object' && value !== null ? placesIn(value) : []),
  ])
}

function oddNames(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'tenantId', 'id', '', '0', 'length', 'then'),
    fc.string({ unit: 'binary' }),
  )
}

function oddValues(): fc.Arbitrary<unknown> {
  const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
  return fc.oneof(
    fc.constantFrom<unknown>(null, true, false, 0, -1, 0.5, 1e308, 2 ** 53, '', ' ', 'null', '1', [], {}, [null], [[]]),
    fc.constantFrom(
      '\u0000',
      'a\u0000b',
      '\ud800',
      '\udc00\ud800',
      '\ufeff',
      '%00',
      '\r\n.\r\n',
      'a@b',
      '@',
      'a@b.c@d.e',
    ),
    fc.constantFrom(nested(5), nested(15), nested(17), nested(900), { __proto__: null, toString: 1 }),
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.jsonValue({ stringUnit: 'binary' }),
  )
}
