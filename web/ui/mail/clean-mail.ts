// Makes of a stranger's HTML what may be shown, within the frame: the parser that reads it here is the one that shows it.
// Nothing of it is text again afterwards, so that nothing can be read otherwise.
import DOMPurify from 'dompurify'
import { imageUrl, MOST_URLS, type ShowMail } from './frame-notice.ts'
import { leadsElsewhere, safeTarget } from './link-target.ts'

/** HTML that is read, not filled in, played or drawn. */
const TAGS = (
  'html head body style ' +
  'a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn dir ' +
  'div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark menu nobr ol p ' +
  'pre q rp rt ruby s samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr'
).split(' ')

const ADDRESSES = ['background', 'cite', 'href', 'src']

/** Without names and ids, by which a page could be made to take strangers' elements for its own. */
const OTHER_ATTRIBUTES = (
  'abbr align alt bgcolor border cellpadding cellspacing class clear color cols colspan compact datetime dir face headers ' +
  'height hreflang hspace lang media noshade nowrap reversed role rowspan rules scope size span start style summary title ' +
  'type valign value vspace width'
).split(' ')

const CONFIG = {
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: [...ADDRESSES, ...OTHER_ATTRIBUTES],
  // What is no address need not look like one.
  ADD_URI_SAFE_ATTR: OTHER_ATTRIBUTES,
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto|tel|cid):/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  WHOLE_DOCUMENT: true,
  RETURN_DOM: true as const,
}

/** Browsers lay out by recursion, a table within tables with much of it: beyond so many levels, 50 tables, there is text alone. */
const MOST_LEVELS = 200

export interface CleanMail {
  /** The root of a document that nothing shows yet, and that fetches nothing. */
  root: HTMLElement
  /** How many images of others it names, which are not shown. */
  heldBack: number
  /** The URLs of those of them that could be fetched for it. */
  urls: string[]
  /** How many of its links name another host than they lead to: each says so. */
  misleading: number
}

interface Images extends Required<Pick<ShowMail, 'images' | 'fetched'>> {
  /** The origin below which those are that are not in the message itself. */
  site: string
}

/** `images`, `fetched`: as the page says what may be shown. */
export function cleanMail(html: string, images: Images): CleanMail {
  const root = DOMPurify.sanitize(html, CONFIG) as HTMLElement
  flatten(root)
  const heldBack = new Set<string>()
  for (const image of root.querySelectorAll('img')) settleImage(image, 'src', images, heldBack)
  for (const element of root.querySelectorAll('[background]')) settleImage(element, 'background', images, heldBack)
  const urls = [...heldBack].flatMap((address) => imageUrl(address) ?? []).slice(0, MOST_URLS)
  for (const address of imagesOfStyles(root)) heldBack.add(address)
  const links = [...root.querySelectorAll('a')]
  return { root, heldBack: heldBack.size, urls, misleading: links.filter(settleLink).length }
}

export function flatten(root: Element): void {
  let level = [root]
  for (let depth = 0; depth < MOST_LEVELS; depth++) level = level.flatMap(({ children }) => [...children])
  for (const element of level) element.replaceChildren(element.textContent ?? '')
}

/** What is in the message is shown, and what the page has had fetched; what else somebody has is not asked for. */
function settleImage(
  element: Element,
  attribute: 'src' | 'background',
  { images, fetched, site }: Images,
  heldBack: Set<string>,
): void {
  const address = element.getAttribute(attribute)
  if (address === null || address.startsWith('data:')) return
  element.removeAttribute(attribute)
  const isInside = /^cid:/i.test(address)
  const shown = isInside ? valueIn(images, contentIdOf(address)) : valueIn(fetched, imageUrl(address) ?? '')
  if (isInside && shown?.startsWith('data:image/')) element.setAttribute(attribute, shown)
  else if (shown !== undefined && OUR_IMAGE.test(shown)) element.setAttribute(attribute, `${site}${shown}`)
  else if (!isInside) heldBack.add(address)
}

const OUR_IMAGE = /^\/(?:inline|image)\/[\w-]+$/

/** Its own: `constructor` is one of every object. */
export function valueIn(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** RFC 2392: percent-encoded. */
export function contentIdOf(cid: string): string {
  const id = cid.slice('cid:'.length)
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

/** The policy of the frame keeps them from being fetched: they are counted alone. */
function* imagesOfStyles(root: HTMLElement): Generator<string> {
  const sheets = [...root.querySelectorAll('style')].map(({ textContent }) => textContent ?? '')
  const own = [...root.querySelectorAll('[style]')].map((element) => element.getAttribute('style') ?? '')
  for (const css of [...sheets, ...own]) {
    for (const [, address = ''] of css.matchAll(/url\(\s*(?:["']\s*)?((?:https?:)?\/\/[^"')\s]{1,2048})/gi))
      yield address
  }
}

/** Whether it is marked, as it names another host than it leads to. */
function settleLink(link: HTMLAnchorElement): boolean {
  const target = safeTarget(link.getAttribute('href'))
  if (!target) {
    link.removeAttribute('href')
    return false
  }
  link.setAttribute('href', target.href)
  link.setAttribute('target', '_blank')
  link.setAttribute('rel', 'noopener noreferrer nofollow')
  link.setAttribute('title', target.href)
  const host = leadsElsewhere(link.textContent ?? '', target)
  if (host === undefined) return false
  const mark = link.ownerDocument.createElement('span')
  mark.textContent = ` (leads to ${host})`
  // The message's own rules do not hide it.
  mark.style.cssText = 'all: initial !important; color: #8a1c14 !important; font: 600 13px system-ui !important'
  link.after(mark)
  return true
}
