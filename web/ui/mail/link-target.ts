// Where a link in a message leads, and whether its words say so. Pure.

/** What a link of a message may lead to; undefined for whatever else it says. It is never one within this site. */
export function safeTarget(href: string | null): URL | undefined {
  const target = href === null ? null : URL.parse(href)
  return target && ['http:', 'https:', 'mailto:', 'tel:'].includes(target.protocol) ? target : undefined
}

/**
 * The host that a link leads to, where its words name another; undefined where they name none, the same, or one within it. That they
 * name it beside the other does not help: it may stand where nobody sees it.
 */
export function leadsElsewhere(words: string, target: URL): string | undefined {
  const leads = hostOf(target)
  if (leads === undefined) return undefined
  const named = hostsIn(words)
  return named.every((host) => isWithin(host, leads) || isWithin(leads, host)) ? undefined : leads
}

function hostOf({ protocol, hostname, pathname }: URL): string | undefined {
  if (protocol === 'tel:') return undefined
  const host = protocol === 'mailto:' ? pathname.slice(pathname.lastIndexOf('@') + 1) : hostname
  return asHost(decode(host))
}

/** As browsers spell it: IDNs in ASCII. */
function asHost(text: string): string | undefined {
  const host = URL.parse(`http://${text.toLowerCase()}`)?.hostname
  return host?.includes('.') ? host.replace(/^www\./, '').replace(/\.$/, '') : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A name of a file is none of a host, though a host could be called so. */
const FILE = /\.(?:js|ts|md|txt|pdf|html?|csv|docx?|xlsx?|pptx?|png|jpe?g|gif|svg)$/i

/** Those that are written as addresses, and a domain or a mail address that stands for itself. */
function hostsIn(words: string): string[] {
  // What is not seen does not tell one name from another.
  const seen = words
    .slice(0, 2_000)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
  const addresses = [...seen.matchAll(/(?:https?:\/\/(?:[^\s/@]{1,200}@)?|\bwww\.)([^\s/?#:"'<>()[\],;!]{1,253})/giu)]
  const named = addresses.map(([, host = '']) => host)
  const [, alone] = /^(?:[^\s@]{1,200}@)?((?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,63})(?:[/?#:]\S*)?$/u.exec(seen) ?? []
  if (named.length === 0 && alone !== undefined && !FILE.test(alone)) named.push(alone)
  return named.flatMap((host) => asHost(host) ?? [])
}

const isWithin = (host: string, other: string): boolean => host === other || host.endsWith(`.${other}`)
