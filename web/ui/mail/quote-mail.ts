// Makes of a stranger's HTML what somebody else may be sent as a quotation, within the frame: words, tables and links in their looks.
// Nothing in it is fetched, fills in, runs, or hides who is quoted; images are those that go along as files.
import DOMPurify from 'dompurify'
import { contentIdOf, flatten, valueIn } from './clean-mail.ts'
import { MOST_QUOTED_CHARACTERS, type Quotation } from './frame-notice.ts'
import { safeTarget } from './link-target.ts'

const TAGS = (
  'html head body ' +
  'a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn dir ' +
  'div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark menu nobr ol p ' +
  'pre q s samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr'
).split(' ')

const ATTRIBUTES = (
  'align alt bgcolor border cellpadding cellspacing color cols colspan dir face height href hspace lang noshade nowrap reversed ' +
  'rowspan size span src start style type valign vspace width'
).split(' ')

const CONFIG = {
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: ATTRIBUTES,
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto|tel|cid):/i,
  ADD_URI_SAFE_ATTR: ATTRIBUTES.filter((name) => name !== 'href' && name !== 'src'),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  WHOLE_DOCUMENT: true,
  RETURN_DOM: true as const,
}

/** What words look like. Nothing that moves them over others, or takes them out of sight. */
const LOOKS = (
  'background-color border-bottom border-collapse border-left border-right border-spacing border-top color direction font-family ' +
  'font-size font-style font-weight line-height list-style-type padding-bottom padding-left padding-right padding-top text-align ' +
  'text-decoration-line text-transform vertical-align white-space-collapse width'
).split(' ')

/** `files`: the ids of the files that go along, by what `cid:` names in the HTML. */
export function quoteMail(html: string, files: Readonly<Record<string, string>>): Quotation {
  const root = cleaned(html)
  for (const image of root.querySelectorAll('img')) settleImage(image, files)
  for (const link of root.querySelectorAll('a')) settleLink(link)
  for (const other of root.querySelectorAll('[src]:not(img)')) other.removeAttribute('src')
  for (const other of root.querySelectorAll('[href]:not(a)')) other.removeAttribute('href')
  for (const element of root.querySelectorAll<HTMLElement>('[style]')) settleStyle(element)
  // What it is as text is read once more, as whoever gets it reads it.
  const again = cleaned(root.innerHTML)
  const quoted = again.innerHTML
  if (quoted.length > MOST_QUOTED_CHARACTERS) return { html: null, text: textOf(again) }
  return { html: quoted, text: textOf(again) }
}

function cleaned(html: string): HTMLElement {
  const root = DOMPurify.sanitize(html, CONFIG) as HTMLElement
  // A page of frames has none.
  const body = root.querySelector('body') ?? document.createElement('body')
  flatten(body)
  return body
}

/** Only what goes along: what somebody else has would tell them who reads it. */
function settleImage(image: HTMLImageElement, files: Readonly<Record<string, string>>): void {
  const address = image.getAttribute('src') ?? ''
  const file = /^cid:/i.test(address) ? valueIn(files, contentIdOf(address)) : undefined
  if (file !== undefined) image.setAttribute('src', `cid:${file}`)
  else image.replaceWith(image.getAttribute('alt') ?? '')
}

function settleLink(link: HTMLAnchorElement): void {
  const target = safeTarget(link.getAttribute('href'))
  if (target) link.setAttribute('href', target.href)
  else link.removeAttribute('href')
}

function settleStyle(element: HTMLElement): void {
  const looks = LOOKS.flatMap((name) => {
    const value = element.style.getPropertyValue(name)
    return value !== '' &&
      /^[\w\s#%.,()'"-]{1,200}$/.test(value) &&
      !/\b(?:url|image|var|env|attr|initial)\b/i.test(value)
      ? [`${name}: ${value}`]
      : []
  })
  element.removeAttribute('style')
  if (looks.length > 0) element.setAttribute('style', looks.join('; '))
}

const BLOCKS =
  /^(?:ADDRESS|ARTICLE|BLOCKQUOTE|CENTER|D[DLT]|DIV|FIGURE|FOOTER|H[1-6]|HEADER|HR|LI|MAIN|OL|P|PRE|SECTION|TABLE|TR|UL)$/

/** Line by line, without laying it out. */
function textOf(root: HTMLElement): string {
  const parts: string[] = []
  const walk = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE) {
      const isAsWritten = node.parentElement?.closest('pre') !== null
      parts.push(isAsWritten ? (node.textContent ?? '') : (node.textContent ?? '').replace(/[ \t\r\n]+/g, ' '))
    }
    const isBlock = BLOCKS.test(node.nodeName)
    if (node.nodeName === 'BR') parts.push('\n')
    if (isBlock) parts.push('\f')
    for (const child of node.childNodes) walk(child)
    if (node.nodeName === 'TD' || node.nodeName === 'TH') parts.push(' ')
    if (isBlock) parts.push('\f')
    if (node.nodeName === 'P') parts.push('\n')
  }
  walk(root)
  return parts
    .join('')
    .replace(/ *[\f]+ */g, '\f')
    .replace(/\n?\f/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, MOST_QUOTED_CHARACTERS)
}
