// Where a sign-in leads to afterwards: a page of this origin, whatever was asked for. Pure.

/** Beyond that nothing of ours is. */
const MOST_CHARACTERS = 2_048

/** Path, query and fragment of a page of this origin; `/` for anything else, as `//evil.example` or `/\evil.example`. */
export function ownPath(to: unknown): string {
  if (typeof to !== 'string' || !to.startsWith('/') || to.length > MOST_CHARACTERS) return '/'
  const base = 'http://here.invalid'
  const url = URL.parse(to, base)
  if (url?.origin !== base) return '/'
  // `/.//evil.example` is of this origin, and without its dot it would not be.
  return url.pathname.startsWith('//') ? '/' : `${url.pathname}${url.search}${url.hash}`
}
