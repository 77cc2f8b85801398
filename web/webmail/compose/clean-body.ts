// What may stand in the editor, which is within this page: formatted words, lists, quotations, links to the web and images that go
// along as files. A draft may be somebody else's, and a paste anybody's: nothing gets there but by this.
import DOMPurify from 'dompurify'
import { safeTarget } from '../../ui/mail/link-target.ts'

const TAGS =
  'a b blockquote br code del div em h1 h2 h3 hr i img ins li ol p pre s span strike strong sub sup u ul'.split(' ')

const CONFIG = {
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: ['href', 'src', 'alt', 'dir', 'start', 'type'],
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|tel:|cid:|\/data\/attachments\/)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
}

/** Where the editor keeps the place of the cursor in what it may undo to. */
const MARK = 'input'
const WITH_MARKS = {
  ...CONFIG,
  ALLOWED_TAGS: [...TAGS, MARK],
  ALLOWED_ATTR: [...CONFIG.ALLOWED_ATTR, 'id'],
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const FILE = new RegExp(`^(?:cid:|/data/attachments/)(${UUID})(?:/content)?$`, 'i')

export const imagePath = (fileId: string): string => `/data/attachments/${fileId}/content`

export interface CleanOptions {
  /** Whether the file goes along. What another draft shows does not. */
  isFile(id: string): boolean
  /** The ids of the editor's marks, which may stay. */
  marks?: readonly string[]
}

/** Gives nodes of this document. Nothing of what is left out was ever part of it, so that nothing was fetched for it. */
export function cleanBody(html: string, { isFile, marks = [] }: CleanOptions): DocumentFragment {
  const cleaned: DocumentFragment | null = DOMPurify.sanitize(html, marks.length > 0 ? WITH_MARKS : CONFIG)
  // There is none of a page of frames.
  const fragment = cleaned ?? document.createDocumentFragment()
  for (const image of fragment.querySelectorAll('img')) settleImage(image, isFile)
  for (const element of fragment.querySelectorAll('[src]:not(img)')) element.removeAttribute('src')
  for (const element of fragment.querySelectorAll('[href]:not(a)')) element.removeAttribute('href')
  for (const link of fragment.querySelectorAll('a')) {
    const target = safeTarget(link.getAttribute('href'))
    if (target) link.setAttribute('href', target.href)
    else link.removeAttribute('href')
  }
  for (const element of fragment.querySelectorAll(`${MARK}, [id]`)) settleMark(element, marks)
  return document.importNode(fragment, true)
}

function settleImage(image: HTMLImageElement, isFile: (id: string) => boolean): void {
  // What is copied within this page is written with its origin.
  const address = (image.getAttribute('src') ?? '').replace(`${location.origin}/`, '/')
  const [, id = ''] = FILE.exec(address) ?? []
  if (isFile(id)) image.setAttribute('src', imagePath(id))
  else image.replaceWith(image.getAttribute('alt') ?? '')
}

function settleMark(element: Element, marks: readonly string[]): void {
  if (element.localName !== MARK) element.removeAttribute('id')
  else if (marks.includes(element.id)) element.setAttribute('type', 'hidden')
  else element.remove()
}

/** As a draft holds it: images by the ids of their files. `root` stays as it is. */
export function bodyOf(root: HTMLElement): string {
  // In a document that shows nothing, an image that is copied is not fetched again.
  const copy = document.implementation.createHTMLDocument().importNode(root, true)
  for (const image of copy.querySelectorAll('img')) {
    const [, id] = FILE.exec(image.getAttribute('src') ?? '') ?? []
    if (id !== undefined) image.setAttribute('src', `cid:${id}`)
  }
  const html = copy.innerHTML.replaceAll('\u200b', '')
  return html === '<div><br></div>' ? '' : html
}

/** The files that a body, or what is quoted, shows where they belong. */
export const shownIn = (html: string): Set<string> =>
  new Set([...html.matchAll(new RegExp(`cid:(${UUID})`, 'gi'))].map(([, id = '']) => id.toLowerCase()))
