// Mail that is made to take long: one shape each, as large as it is asked for. What reads a message must read each in a
// time that grows no faster than the message.

/** A whole message of about so many bytes. */
export type HostileShape = (bytes: number) => string

const times = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length))
const numbered = (bytes: number, text: (i: number) => string) =>
  Array.from({ length: Math.ceil(bytes / text(0).length) }, (_, i) => text(i)).join('')
const field = (name: string, repeated: string, before = '', after = ''): HostileShape => {
  return (bytes) => `From: a@b.test\r\n${name}: ${before}${times(repeated, bytes)}${after}\r\n\r\nx\r\n`
}
const fields = (repeated: string): HostileShape => {
  return (bytes) => `From: a@b.test\r\n${times(repeated, bytes)}\r\nx\r\n`
}
const body = (header: string, repeated: string, before = '', after = ''): HostileShape => {
  return (bytes) => `From: a@b.test\r\n${header}\r\n\r\n${before}${times(repeated, bytes)}${after}`
}
const parts = (part: string, type = 'multipart/mixed'): HostileShape =>
  body(`Content-Type: ${type}; boundary=b`, `--b\r\n${part}\r\n`)
const html = (repeated: string, after = ''): HostileShape => {
  return (bytes) =>
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b\r\nContent-Type: text/html\r\n\r\n<a ${times(repeated, bytes)}${after}\r\n--b--\r\n`
}

const WORD = '=?utf-8?B?YWJj?= '
const SIGNED = 'v=1; a=rsa-sha256; c=relaxed/relaxed; d=b.test; s=s; h=from; bh='

/** What the header is full of. */
export const HOSTILE_HEADERS: Record<string, HostileShape> = {
  'encoded words in the subject': field('Subject', WORD),
  'encoded words in Q': field('Subject', '=?utf-8?Q?abc?= '),
  'encoded words that end nowhere': field('Subject', '=?utf-8?B?'),
  'encoded words in the references': field('References', WORD),
  'encoded words in a name': field('From', WORD, '', '<a@b.test>'),
  'encoded words that are addresses': field('To', '=?utf-8?B?PGFAYj4s?= '),
  'encoded words in a file name': field('Content-Type', WORD, 'a/b; name="', '"'),
  'encoded words in charsets that nobody knows': (bytes) =>
    `From: a@b.test\r\nSubject: ${numbered(bytes, (i) => `=?x${i + 1_000_000}?Q?a?= `)}\r\n\r\nx\r\n`,
  'encoded words in UTF-7': field('Subject', '=?utf-7?Q?+AOk?= '),
  'blanks in an encoded word': field('Subject', ' ', '=?utf-8?Q?=', 'x?='),
  'blanks between encoded words': field('Subject', ' ', '=?utf-8?Q?a?=', '=?utf-8?Q?b?='),
  'letters beyond ASCII': (bytes) => field('To', 'é=?a?q?')(bytes / 2),
  addresses: field('To', 'a@b, '),
  'fields of addresses': fields('To: a@b\r\n'),
  groups: field('To', 'a:b, '),
  'groups in groups': field('To', 'a:'),
  'angle brackets': field('To', '<'),
  'angle brackets after words': field('To', 'a <'),
  'blanks in an address': field('To', ' ', 'a', 'b@c d'),
  'blanks in the sender': field('From', ' ', 'a', 'b@c d'),
  'words in the sender': field('From', 'a '),
  'quotes in an address': field('To', '"a"'),
  'comments in an address': field('From', '(a) '),
  'open comments': field('From', '('),
  'at signs': field('From', '@'),
  'at signs in words': field('From', 'a@b@ '),
  fields: fields('X: y\r\n'),
  'lines that are no field': fields('X\r\n'),
  'a line of blanks that is no field': (bytes) => `X${times(' ', bytes)}X\r\nFrom: a@b.test\r\n\r\nx\r\n`,
  'blanks before a colon': (bytes) => `X${times(' ', bytes)}: y\r\nFrom: a@b.test\r\n\r\nx\r\n`,
  'lines that are no field before one that is': (bytes) =>
    `From: a@b.test\r\n${times('X\r\n', bytes)}To: a@b\r\n\r\nx\r\n`,
  'lines that are nearly fields': fields('X\r\nx x: y\r\n'),
  'lines of dashes': fields('--\r\n'),
  'folded lines': (bytes) => `From: a@b.test\r\nSubject: x\r\n${times(' y\r\n', bytes)}\r\nx\r\n`,
  'folded lines of the sender': (bytes) => `From: a@b.test\r\n${times(' y\r\n', bytes)}\r\nx\r\n`,
  'folded empty lines': (bytes) => `From: a@b.test\r\nSubject: x\r\n${times(' \r\n', bytes)}\r\nx\r\n`,
  'message ids': field('References', '<a@b> '),
  'open message ids': field('References', '<a'),
  'a date of blanks': field('Date', ' ', 'Mon', 'x'),
  'a date of brackets': field('Date', '('),
  received: fields('Received: from a (b [192.0.2.1]) by c; Mon, 1 Jan 2024 00:00:00 +0000\r\n'),
  'a return path of blanks': field('Return-Path', ' ', 'a', 'b@c d'),
  parameters: (bytes) =>
    `Content-Type: a/b; ${numbered(bytes, (i) => `a${i + 1_000_000}=b;`)}\r\nFrom: a@b.test\r\n\r\nx\r\n`,
  'continued parameters': (bytes) =>
    `Content-Type: a/b; ${numbered(bytes, (i) => `a*${i + 1_000_000}*=b;`)}\r\nFrom: a@b.test\r\n\r\nx\r\n`,
  'sections of a parameter': (bytes) =>
    `Content-Type: a/b; ${numbered(bytes, (i) => `a*${i + 1_000_000}*=%41;`)}\r\nFrom: a@b.test\r\n\r\nx\r\n`,
  'quotes of a charset': field('Content-Type', "'", 'a/b; a*="', '"'),
  'blanks in a parameter': field('Content-Type', ' ', 'a/b; a=b', 'c; d=e'),
  'stars in a parameter': field('Content-Type', '*1', 'a/b; ', 'x=e'),
  'brackets in a parameter': field('Content-Type', '(', 'a/b; '),
  'quotes in a parameter': field('Content-Type', '"', 'a/b; a='),
  'escapes in a parameter': field('Content-Type', '%41', "a/b; a*=utf-8''"),
  'a charset of separators': field('Content-Type', '-._ ', 'text/plain; charset="', '"'),
  'a long encoding': field('Content-Transfer-Encoding', '!'),
  'blanks in a signature': field('DKIM-Signature', ' ', `${SIGNED}x; b=`, 'x'),
  'blanks around a tag of a signature': field('DKIM-Signature', ' ', `${SIGNED}x; b`, '=x'),
  'folded lines in a signature': field('DKIM-Signature', '\r\n ', `${SIGNED}x; b=`, 'x'),
  'tags in a signature': field('DKIM-Signature', 'a=b;', `${SIGNED}x; b=x;`),
  'fields that a signature covers': field('DKIM-Signature', 'from:', `${SIGNED}x; b=x; h=`, 'from'),
  'what an identity escapes': field('DKIM-Signature', '=41', `${SIGNED}x; b=x; i=`, '@b.test'),
  'a quoted identity': field('DKIM-Signature', '\\a', `${SIGNED}x; b=x; i="`, '@b.test'),
  signatures: fields(`DKIM-Signature: ${SIGNED}x; b=x\r\n`),
  seals: fields('ARC-Seal: i=1; a=rsa-sha256; cv=none; d=b.test; s=s; b=x\r\n'),
  'results of others': field('ARC-Authentication-Results', 'dkim=pass (a) header.d=b;', 'i=1; b.test; '),
}

/** What the body is full of. */
export const HOSTILE_BODIES: Record<string, HostileShape> = {
  'attributes of a link that never ends': html('href='),
  'attributes of a link': html('href=', '>'),
  'open tags': html('<'),
  'open links': html('<a '),
  'open comments': html('<!--'),
  'open styles': html('<style>'),
  ampersands: html('&'),
  'blanks in HTML': html(' ', 'x'),
  'empty lines': body('X: y', '\r\n'),
  'lines of one character': body('X: y', 'a\n'),
  'blanks in text': body('X: y', ' ', 'a', 'b'),
  'flowed text': body('Content-Type: text/plain; format=flowed; delsp=yes', 'a \r\n'),
  'flowed signatures': body('Content-Type: text/plain; format=flowed', '-- \r\n'),
  'escape sequences of a charset': body('Content-Type: text/plain; charset=iso-2022-jp', '\x1b$B'),
  'UTF-7': body('Content-Type: text/plain; charset=utf-7', '+AOk-'),
  'plus signs in UTF-7': body('Content-Type: text/plain; charset=utf-7', '+'),
  'shifts of HZ': body('Content-Type: text/plain; charset=hz', '~{'),
  'shifts of ISO-2022-KR': body('Content-Type: text/plain; charset=iso-2022-kr', '\x1b$)C\x0e'),
  'a code page': body('Content-Type: text/plain; charset=cp437', '\x81'),
  'half characters of Korean': body('Content-Type: text/plain; charset=cp949', '\xff\x8c'),
  'meta tags': body('Content-Type: text/html', '<meta '),
  'quotes in flowed text': body('Content-Type: text/plain; format=flowed; delsp=yes', '> \r\n'),
  'tags above a footer': html('<br> <b> </b>'),
  'base64 that is padded in each line': body('Content-Transfer-Encoding: base64', 'YQ==\r\n'),
  'padding of base64': body('Content-Transfer-Encoding: base64', '=', 'a'),
  'lines of uuencode': body('Content-Transfer-Encoding: x-uuencode', '#0V%T\r\n', 'begin 644 a\r\n'),
  'beginnings of uuencode': body('Content-Transfer-Encoding: x-uuencode', 'begin 644 '),
  'parts without empty lines': parts('X'),
  'base64 in short lines': body('Content-Transfer-Encoding: base64', 'A\r\n'),
  'base64 in one line': body('Content-Transfer-Encoding: base64', 'AAAA'),
  'soft line breaks': body('Content-Transfer-Encoding: quoted-printable', '=\r\n'),
  'blanks after an equals sign': body('Content-Transfer-Encoding: quoted-printable', ' ', '=', 'x'),
  'equals signs and blanks': body('Content-Transfer-Encoding: quoted-printable', '=  \t'),
  parts: parts('\r\nx'),
  'parts in base64': parts('Content-Transfer-Encoding: base64\r\n\r\nx'),
  'parts of a digest': parts('\r\nSubject: x\r\n\r\ny', 'multipart/digest'),
  'files without name': parts('Content-Type: a/b\r\n\r\nx'),
  boundaries: body('Content-Type: multipart/mixed; boundary=b', '--b\r\n'),
  'lines that are nearly a boundary': (bytes) => {
    const name = (level: number) => `${'y'.repeat(900)}${level}`
    const levels = Array.from({ length: 90 }, (_, level) =>
      [`Content-Type: multipart/mixed; boundary=${name(level)}`, '', `--${name(level)}`, ''].join('\r\n'),
    )
    return `From: a@b.test\r\n${levels.join('')}\r\n${times(`--${'y'.repeat(900)}\r\n`, bytes)}`
  },
  'messages in messages': (bytes) => times('Content-Type: message/rfc822\r\n\r\n', bytes),
}
