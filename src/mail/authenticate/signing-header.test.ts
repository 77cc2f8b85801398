import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMessage } from '../parse/parse-message.ts'
import { readHeaderFacts } from './signing-header.ts'

test('whoever is shown as the sender is who is verified, in whatever charset an address is written', async () => {
  const hidden = '+ADw-ceo+AEA-bank.test+AD4-'
  for (const from of [
    `=?utf-7?Q?${hidden}?=`,
    `=?iso-2022-kr?B?${Buffer.from('<ceo@bank.test>').toString('base64')}?=`,
    `=?utf-16be?B?${Buffer.from('<ceo@bank.test>', 'utf16le').swap16().toString('base64')}?=`,
    '=?utf-8?Q?Bank,_Inc.?= <ceo@bank.test>',
  ]) {
    const raw = Buffer.from(`From: ${from}\r\n\r\nx\r\n`)
    const { from: shown } = await parseMessage(new Uint8Array(raw))
    assert.equal(shown?.address, 'ceo@bank.test', from)
    assert.deepEqual(readHeaderFacts(raw).fromDomains, ['bank.test'], from)
  }
})
