// Octets that a socket may bring instead of a request: requests that something happened to, and such as were never any.
// As latin1 text, which can be read where one of them fails.
import fc from 'fast-check'
import { changed } from './broken-text.ts'

/** Most of it is one of `requests` with something changed or a header more, the rest is of its own kind. */
export function brokenHttp(requests: string[]): fc.Arbitrary<string> {
  const request = fc.constantFrom(...requests)
  const withHeader = fc
    .tuple(request, fc.constantFrom(...HEADERS))
    .map(([text, header]) => text.replace('\r\n\r\n', () => `\r\n${header}\r\n\r\n`))
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }).map((octets) => Buffer.from(octets).toString('latin1')),
    fc.constantFrom(...NO_REQUESTS),
  )
  return fc.oneof(
    { arbitrary: changed(request, ODD), weight: 4 },
    { arbitrary: withHeader, weight: 4 },
    { arbitrary: noise, weight: 1 },
  )
}

const ODD = [
  ...[
    '\0',
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    ' ',
    ':',
    '\t',
    '%',
    '%00',
    '%2e%2e/',
    '/',
    '?',
    '#',
    '\\',
    '"',
    '*',
    '\x7f',
    '\xff',
  ],
  ...['HTTP/1.1', 'HTTP/9.9', 'POST ', '0', '-1', 'a'.repeat(500), 'x: y\r\n', '1e9', '..'],
]

const HEADERS = [
  'content-length: -1',
  'content-length: +5',
  'content-length: 0x5',
  'content-length: 5, 5',
  'content-length: 99999999999999999999999999',
  'content-length: 5\r\ncontent-length: 6',
  'transfer-encoding: chunked',
  'transfer-encoding: gzip, chunked',
  'transfer-encoding: chunked, chunked',
  'transfer-encoding: \x0bchunked',
  'transfer-encoding : chunked',
  'expect: 100-continue',
  'expect: a miracle',
  'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13',
  'connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAoAAAAAIAAAAA',
  'connection: close, authorization',
  'authorization: Bearer',
  'authorization: Basic Og==',
  `authorization: Bearer ${'mdk_live_'.repeat(500)}`,
  'x-forwarded-for: ::1, 127.0.0.1, \xff',
  'host: a\r\nhost: b',
  'host: ',
  'content-type: \x01',
  'idempotency-key: \xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9',
  '__proto__: x',
  ' folded: x',
  'folded: x\r\n y',
  ': without a name',
  'without a colon',
  'range: bytes=0-,1-,2-,-1',
  'if-none-match: *',
  'accept-encoding: gzip;q=NaN',
  'cookie: a=b; __proto__=c',
  'te: trailers\r\ntrailer: content-length',
  `x: ${'y'.repeat(15_000)}`,
  `x: ${'y'.repeat(17_000)}`,
  'x: y\r\n'.repeat(150).trimEnd(),
  'x: y\r\n'.repeat(2_500).trimEnd(),
  Array.from({ length: 1_200 }, (_, i) => `x${i}: y`).join('\r\n'),
]

const NO_REQUESTS = [
  '',
  '\r\n',
  '\r\n'.repeat(5_000),
  ' '.repeat(20_000),
  'GET',
  'GET /',
  'GET /\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'GET / HTTP/2.0\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00',
  'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n',
  'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n',
  'TRACE /v1/mailboxes HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET http://example.com/v1/mailboxes HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET //v1//mailboxes HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET /v1/messages/../../etc/passwd HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET /docs/guides/..%2f..%2f..%2fpackage HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET /docs/guides/%ff HTTP/1.1\r\nhost: x\r\n\r\n',
  `GET /v1/mailboxes?${'a=b&'.repeat(3_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  `GET /v1/blobs/${'A'.repeat(400)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  'PUT /v1/blobs/AAAA HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\nx',
  'POST /v1/messages HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n-1\r\nx\r\n0\r\n\r\n',
  `POST /v1/messages HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`,
  `POST /v1/messages HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\n${'x: y\r\n'.repeat(5_000)}\r\n`,
  `GET /v1/mailboxes HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(200),
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'EHLO example.com\r\nMAIL FROM:<a@b.c>\r\n',
  '{"jsonrpc":"2.0"}\n',
]
