import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { isAtThisMachine } from './at-this-machine.ts'

test('somebody is at this machine who asks loopback over loopback, and for nobody else', () => {
  for (const [host, remoteAddress, further, expected] of [
    ['127.0.0.1:8080', '127.0.0.1', {}, true],
    ['localhost', '::1', {}, true],
    ['[::1]:8080', '::1', {}, true],
    ['localhost:8080', '::ffff:127.0.0.1', {}, true],
    ['127.9.9.9', '127.0.0.1', {}, true],
    ['LOCALHOST:8080', '127.0.0.1', {}, true],
    ['mail.localhost:8080', '127.0.0.1', {}, true],
    ['[::ffff:127.0.0.1]:8080', '::1', {}, true],
    ['evil.test:8080', '127.0.0.1', {}, false],
    ['127.0.0.1.evil.test', '127.0.0.1', {}, false],
    ['localhost.evil.test', '127.0.0.1', {}, false],
    ['evillocalhost', '127.0.0.1', {}, false],
    ['127.1', '127.0.0.1', {}, false],
    ['0', '127.0.0.1', {}, false],
    ['', '127.0.0.1', {}, false],
    ['192.0.2.7:8080', '127.0.0.1', {}, false],
    ['127.0.0.1:8080', '192.0.2.7', {}, false],
    ['localhost:8080', '172.17.0.1', {}, false],
    ['localhost:8080', undefined, {}, false],
    [undefined, '127.0.0.1', {}, false],
    ['localhost:8080', '127.0.0.1', { 'x-forwarded-for': '192.0.2.7' }, false],
    ['localhost:8080', '127.0.0.1', { forwarded: 'for=192.0.2.7' }, false],
    ['localhost:8080', '127.0.0.1', { via: '1.1 proxy' }, false],
  ] as const) {
    const request = { headers: { host, ...further }, socket: { remoteAddress } } as unknown as IncomingMessage
    assert.equal(isAtThisMachine(request), expected, `${host} from ${remoteAddress} ${JSON.stringify(further)}`)
  }
})
