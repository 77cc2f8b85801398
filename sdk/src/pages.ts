// Lists that come in pages: await one for its first page, or iterate over items or over pages. Knows no operation.

export interface Page<Item> {
  items: Item[]
  /** Where the next page begins; null on the last one. */
  nextCursor: string | null
}

/** A list. Nothing is fetched before it is awaited or iterated over; each iteration begins at the start. */
export class Pages<Item, P extends Page<Item> = Page<Item>> implements AsyncIterable<Item>, PromiseLike<P> {
  readonly #fetch: (cursor: string | undefined) => Promise<P>
  readonly #start: string | undefined

  constructor(fetch: (cursor: string | undefined) => Promise<P>, start: string | undefined) {
    this.#fetch = fetch
    this.#start = start
  }

  /** Page by page, for consumers that store a cursor once they have accepted what is in front of it. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let cursor = this.#start
    do {
      const page = await this.#fetch(cursor)
      yield page
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
  }

  /** Item by item, over all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.items
  }

  /** The first page. */
  // biome-ignore lint/suspicious/noThenProperty: awaiting a list gives its first page, on purpose.
  then<A = P, B = never>(
    resolved?: ((page: P) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#fetch(this.#start).then(resolved, rejected)
  }
}
