import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionFault } from './connection-fault.ts'

const fault = (more: Record<string, unknown>) =>
  Object.assign(new Error('connect to 10.1.2.3:25 as user:secret failed'), more)

for (const [what, error, words] of [
  ['a port where nothing listens', { code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, 'connection refused'],
  ['a network that is away', { code: 'ESOCKET', originalCode: 'EHOSTUNREACH' }, 'no route to the relay'],
  ['a reset', { code: 'ESOCKET', originalCode: 'ECONNRESET' }, 'the relay closed the connection'],
  ['silence', { code: 'ETIMEDOUT' }, 'the relay did not answer in time'],
  [
    'a name that leads nowhere',
    { code: 'EDNS', originalCode: 'ENOTFOUND' },
    'the name of the relay could not be resolved',
  ],
  [
    'a certificate that proves nothing',
    { code: 'ESOCKET', originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    'no secure connection to the relay',
  ],
  [
    'credentials that are refused',
    { code: 'EAUTH', response: '535 5.7.8 no: cEBzcw==' },
    'the relay did not let this service authenticate',
  ],
  [
    'an answer that is no SMTP',
    { code: 'EPROTOCOL', response: 'HTTP/1.1 400 Bad Request' },
    'the connection to the relay failed',
  ],
  ['anything else', {}, 'the connection to the relay failed'],
] as const) {
  test(`${what} is told without host and credentials`, () => {
    assert.deepEqual(connectionFault(fault(error)), { code: null, enhancedCode: null, text: words })
  })
}

test('a greeting that refuses is told in the words of the relay', () => {
  assert.deepEqual(connectionFault(fault({ code: 'EPROTOCOL', response: '421 4.3.2 Too busy' })), {
    code: 421,
    enhancedCode: '4.3.2',
    text: 'Too busy',
  })
})
