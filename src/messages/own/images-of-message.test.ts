import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DMARC_RESULTS, UNKNOWN_AUTHENTICATION } from '../../mail/authenticate/authentication.ts'
import { FOLDERS, type Folder } from '../schemas.ts'
import { imagesOfMessage } from './images-of-message.ts'

const entry = (folder: Folder) => ({ mailboxId: 'a', folder, isRead: true, isStarred: false })
const said = (result: (typeof DMARC_RESULTS)[number]) => ({
  ...UNKNOWN_AUTHENTICATION,
  dmarc: { result, domain: 'shop.example', policy: null },
})

test('images of spam are never shown, whoever sent it', () => {
  for (const folders of [['spam'], ['inbox', 'spam']] as const) {
    const images = imagesOfMessage({ mailboxes: folders.map(entry), authentication: said('pass') }, true)
    assert.deepEqual([images.mayShow, images.always], [false, false])
    assert.match(images.why ?? '', /spam/)
  }
})

test('nor are those of a message that failed DMARC, wherever it lies', () => {
  for (const folder of FOLDERS) {
    const images = imagesOfMessage({ mailboxes: [entry(folder)], authentication: said('fail') }, true)
    assert.deepEqual([images.mayShow, images.always], [false, false])
    assert.match(images.why ?? '', /pretends/)
  }
})

test('those of a known sender are shown without being asked where DMARC has passed alone', () => {
  for (const result of DMARC_RESULTS) {
    if (result === 'fail') continue
    for (const isKnown of [true, false]) {
      const images = imagesOfMessage({ mailboxes: [entry('inbox')], authentication: said(result) }, isKnown)
      assert.deepEqual(images, { mayShow: true, always: isKnown && result === 'pass', why: null })
    }
  }
})

test('those of what a user has sent are shown when they are asked for', () => {
  const images = imagesOfMessage({ mailboxes: [entry('sent')], authentication: null }, true)
  assert.deepEqual(images, { mayShow: true, always: false, why: null })
})
