// What browsers may do with what the console and the webmail answer.
import type { FastifyReply } from 'fastify'
import type { Site } from './site.ts'

/** Scripts and styles of this origin alone, in files; nobody else's frame. */
const PAGE = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
]

/** Of every answer of a site, data among them. */
export function siteHeaders({ isTrustworthy }: Site): Record<string, string> {
  return {
    // A form's Origin is `null` under no-referrer, and over plain http it is all that says where a form comes from.
    'referrer-policy': isTrustworthy ? 'no-referrer' : 'same-origin',
    'x-dns-prefetch-control': 'off',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  }
}

interface PageOptions {
  status?: number
  trustedTypes?: string
  showsMail?: boolean
}

/** `trustedTypes`: the names of the policies that the page's scripts make; `showsMail`: in a frame of this origin. */
export function sendPage(
  reply: FastifyReply,
  html: string,
  { status = 200, trustedTypes = "'none'", showsMail = false }: PageOptions = {},
): FastifyReply {
  return reply
    .code(status)
    .header(
      'content-security-policy',
      [...PAGE, `trusted-types ${trustedTypes}`, ...(showsMail ? ["frame-src 'self'"] : [])].join('; '),
    )
    .type('text/html; charset=utf-8')
    .send(html)
}
