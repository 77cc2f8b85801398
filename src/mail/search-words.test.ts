import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type SearchedMessage, type WantedText, wantedWords, wordsOfMessage } from './search-words.ts'

const EMPTY: SearchedMessage = { subject: '', from: null, recipients: [], messageId: null }
const about = (subject: string) => ({ ...EMPTY, subject })
const to = (address: string, name: string | null = null) => ({ ...EMPTY, recipients: [{ address, name }] })

/** As the database compares them. */
function finds(text: WantedText, message: SearchedMessage): boolean {
  const words = wordsOfMessage(message)
  const wanted = wantedWords(text)
  const has = (one: string, isBeginning: boolean) =>
    words.some((word) => (isBeginning ? word.startsWith(one) : word === one))
  return wanted?.every(({ words: any, isBeginning }) => any.some((one) => has(one, isBeginning))) ?? false
}

describe('search', () => {
  for (const [q, message, why] of [
    ['invoice', about('Your INVOICE of May'), 'any case'],
    ['may your', about('Your invoice of May'), 'any order'],
    ['invo', about('Your invoice'), 'the beginning of the last word'],
    ['Muller', about('Müller'), 'without accents'],
    ['müller', about('Muller'), 'with accents'],
    ['strasse', about('Straße'), 'sharp s'],
    ['lodz', about('Łódź'), 'letters with a stroke'],
    ['οδος', about('ΟΔΌΣ'), 'a sigma at the end'],
    ['ｉｎｖｏｉｃｅ', about('invoice'), 'width'],
    ['発票', about('東京の発票です'), 'a language without blanks'],
    ['서울', about('서울 주문'), 'Hangul'],
    ['हिन्दी', about('हिन्दी संदेश'), 'vowels that are marks'],
    ['addition', about("L'addition"), 'what an apostrophe joins'],
    ['l’addition', about("L'addition"), 'another apostrophe'],
    ['2024', about('INV-2024/17'), 'part of a number'],
    ['inv-2024/17', about('INV-2024/17'), 'the whole of it'],
    ['ada@example.com', to('Ada@EXAMPLE.com'), 'an address in any case'],
    ['<ada@example.com>,', to('ada@example.com'), 'an address as it is copied'],
    ['ada', to('ada@example.com'), 'a local part'],
    ['lovelace', to('ada.lovelace@example.com'), 'a part of it'],
    ['example.com', to('ada@mail.example.com'), 'a domain above'],
    ['@mail.example.com', to('ada@mail.example.com'), 'a domain'],
    ['exam', to('ada@example.com'), 'the beginning of a domain'],
    ['jürgen@münchen.example', to('jürgen@xn--mnchen-3ya.example'), 'a domain in Unicode'],
    ['jürgen@xn--mnchen-3ya.example', to('jürgen@münchen.example'), 'a domain in ASCII'],
    ["o'brien@example.com", to("o'brien@example.com"), 'an apostrophe in an address'],
    ['countess', to('ada@example.com', 'The Countess'), 'a display name'],
    ['<abc.1@mail.example>', { ...EMPTY, messageId: '<abc.1@mail.example>' }, 'a Message-ID'],
    ['sender', { ...EMPTY, from: { address: 'x@y.example', name: 'Sender' } }, 'whom it is from'],
  ] as const) {
    test(`finds ${why}`, () => assert(finds({ q }, message), `${q}: ${wordsOfMessage(message)}`))
  }

  for (const [q, message, why] of [
    ['voice', about('invoice'), 'the end of a word'],
    ['inv may', about('invoice of May'), 'the beginning of a word that is not the last'],
    ['invoice june', about('invoice of May'), 'one of two words'],
    ['ada@example.co', to('ada@example.com'), 'the beginning of an address'],
    ['@example.com', to('ada@mail.example.com'), 'another domain'],
    ['inv ', about('invoice'), 'the beginning of a word that is followed by a blank'],
    ['!!', about('!!'), 'signs'],
    ['', about('anything'), 'nothing'],
  ] as const) {
    test(`does not find ${why}`, () => assert(!finds({ q }, message), `${q}: ${wordsOfMessage(message)}`))
  }

  test('looks in one field where it is told to', () => {
    const address = 'ada@example.com'
    const sent = { ...EMPTY, subject: 'Invoice', from: { address, name: null } }
    const received = { ...about('ada'), recipients: [{ address, name: 'Ada' }] }
    assert(finds({ recipient: 'Ada@EXAMPLE.com' }, received))
    assert(!finds({ recipient: address }, sent))
    assert(finds({ subject: 'inv', q: address }, sent))
    assert(!finds({ subject: 'ada' }, sent))
    assert(!finds({ subject: '!', q: 'ada' }, sent))
  })

  test('a message of any text has words that the database takes, whatever it is looked for by', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 998 })
    fc.assert(
      fc.property(text, text, text, (subject, address, name) => {
        const words = wordsOfMessage({
          subject,
          from: { address, name },
          recipients: [{ address, name }],
          messageId: name,
        })
        for (const word of [...words, ...(wantedWords({ q: subject }) ?? []).flatMap((one) => one.words)]) {
          assert(word.isWellFormed() && Buffer.byteLength(word) <= 1_000, word)
        }
      }),
      { numRuns: 30 },
    )
  })

  test('however many it is for, all recipients are found, and the words stay below what a row takes', () => {
    const recipients = Array.from({ length: 2_000 }, (_, i) => ({
      address: `${'x'.repeat(60)}${i}@${'y'.repeat(50)}.example`,
      name: `名`.repeat(900),
    }))
    const words = new Set(wordsOfMessage({ ...EMPTY, recipients }))
    for (const { address } of recipients) assert(words.has(`r${address.slice(0, 100)}`))
    assert([...words].reduce((octets, word) => octets + Buffer.byteLength(word) + 30, 0) < 1_048_576)
  })
})
