// Which page a path leads to. Pure.

/**
 * What a pattern takes out of a path, by name; undefined when it is another path. `/messages/:id`, with one part each: as it
 * stands there, so that it stays one part of whatever path it is put into.
 */
export function matchRoute(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const taken: Record<string, string> = {}
  for (const [i, part] of wanted.entries()) {
    const there = given[i] as string
    if (part.startsWith(':') && there !== '') taken[part.slice(1)] = there
    else if (part !== there) return undefined
  }
  return taken
}
