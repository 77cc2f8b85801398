// Who goes next when more wait than go together. Pure.

/** How many items go together, and what they may weigh. */
export interface Most<Item> {
  items: number
  weight: number
  weightOf(item: Item): number
}

/**
 * As many items as go together, and one at least, their owners taking turns: each owner's first in the order of arrival,
 * then each one's second, and so on. An owner's own stay in their order.
 */
export function inTurns<Item>(items: Item[], most: Most<Item>, ownerOf: (item: Item) => string): Item[] {
  if (items.length <= most.items && sumOf(items, most) <= most.weight) return items
  const queues = [...Map.groupBy(items, ownerOf).values()]
  const longest = Math.max(...queues.map((queue) => queue.length))
  const order = Array.from({ length: longest }, (_, turn) => queues.flatMap((queue) => queue[turn] ?? []))
  return together(order.flat(), most)
}

/** The same of one owner, not the one whose turn was last unless nobody else waits. */
export function turnOfOne<Item>(
  items: Item[],
  most: Most<Item>,
  last: string | undefined,
  ownerOf: (item: Item) => string,
): Item[] {
  const first = items.find((item) => ownerOf(item) !== last) ?? items[0]
  if (first === undefined) return []
  const owner = ownerOf(first)
  return together(
    items.filter((item) => ownerOf(item) === owner),
    most,
  )
}

function together<Item>(items: Item[], { items: count, weight: most, weightOf }: Most<Item>): Item[] {
  let weight = 0
  const end = items.findIndex((item, i) => {
    weight += weightOf(item)
    return i > 0 && (i === count || weight > most)
  })
  return end === -1 ? items : items.slice(0, end)
}

function sumOf<Item>(items: Item[], { weightOf }: Most<Item>): number {
  return items.reduce((sum, item) => sum + weightOf(item), 0)
}
