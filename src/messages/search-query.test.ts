import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { beginningOfDay } from '../activity/bars-of-time.ts'
import { FOLDERS } from './schemas.ts'
import { parseSearch, type SearchQuery } from './search-query.ts'

const parse = (q: string, timeZone = 'UTC') => parseSearch(q, (date) => beginningOfDay(date, timeZone))
/** `w!x…`: x anywhere, left out, may go on. */
const wordsIn = (q: string) =>
  parse(q).words.map(({ word, isBeginning, isExcluded }) => {
    return `${word[0]}${isExcluded ? '!' : ''}${word.slice(1)}${isBeginning ? '…' : ''}`
  })
const phrasesIn = (q: string) =>
  parse(q).phrases.map(({ phrase, field, isBeginning, isExcluded }) => {
    return `${isExcluded ? '!' : ''}${field}:${phrase.trim()}${isBeginning ? '…' : ''}`
  })

describe('what is looked for in the webmail', () => {
  for (const [q, words, phrases, why] of [
    ['Your Invoice', ['wyour', 'winvoice…'], [], 'words, of which the last may go on'],
    ['invoice ', ['winvoice'], [], 'unless a blank follows'],
    ['invoice x', ['winvoice', 'wx'], [], 'or it is one letter'],
    ['東', ['w東…'], [], 'of an alphabet, which others are not'],
    ['invoice!', ['winvoice'], [], 'or a sign follows'],
    ['from:Ada', ['fada…'], [], 'the sender'],
    ['TO:bob@Example.com x', ['rbob@example.com', 'wx'], [], 'a recipient by the whole address'],
    ['to:@example.com ', ['r@example.com'], [], 'by a domain'],
    ['<ada@example.com>, b', ['wada@example.com', 'wb'], [], 'an address anywhere'],
    ['ada@exam', ['wada@exam…'], [], 'an address may go on'],
    ['subject:plan of', ['splan', 'wof…'], [], 'one word of the subject'],
    ['subject:"plan of"', ['splan', 'sof'], ['subject:plan of'], 'a phrase in the subject'],
    ['"Plan  of" may', ['wplan', 'wof', 'wmay…'], ['anywhere:plan of'], 'a phrase'],
    ['"plan"', ['wplan'], [], 'one word in quotes does not go on'],
    ['"plan of ma', ['wplan', 'wof', 'wma…'], ['anywhere:plan of ma…'], 'a quote that is not closed yet'],
    ['"plan ', ['wplan'], [], 'or has come to the end of a word'],
    ['"', [], [], 'a quote alone'],
    ['""', [], [], 'an empty phrase'],
    ["don't ", ['wdon', 'wt'], ['anywhere:don t'], 'what a sign joins'],
    ['example.co', ['wexample', 'wco…'], ['anywhere:example co…'], 'and may go on'],
    ['plan -may', ['wplan', 'w!may'], [], 'a word that is left out, which does not go on'],
    ['-may', ['w!may', '.'], [], 'alone'],
    ['-"plan of"', [], ['!anywhere:plan of'], 'a phrase that is left out'],
    ['-from:ada x', ['f!ada', 'wx'], [], 'a sender who is left out'],
    ['has:attachment', ['+'], [], 'files'],
    ['-has:attachments', ['+!', '.'], [], 'no files'],
    ['re:plan ', ['wre', 'wplan'], ['anywhere:re plan'], 'what is no operator'],
    ['http://a.example/b ', ['whttp', 'wa', 'wexample', 'wb'], ['anywhere:http a example b'], 'a URL'],
    ['10:30 ', ['w10', 'w30'], ['anywhere:10 30'], 'a time'],
    ['- -- :: ()', [], [], 'signs alone'],
  ] as const) {
    test(`${q}: ${why}`, () => {
      assert.deepEqual(wordsIn(q), words)
      assert.deepEqual(phrasesIn(q), phrases)
    })
  }

  for (const [q, expected] of [
    ['in:trash', { folders: ['trash'] }],
    ['in:Inbox in:archive', { folders: ['inbox', 'archive'] }],
    ['-in:spam -in:trash', { folders: ['inbox', 'sent', 'archive'] }],
    ['in:spam -in:spam', { folders: [] }],
    ['is:unread', { isRead: false }],
    ['is:read', { isRead: true }],
    ['-is:unread', { isRead: true }],
    ['is:starred', { isStarred: true }],
    ['-is:starred', { isStarred: false }],
    ['after:2026-11-01', { sinceMs: Date.UTC(2026, 10, 1) }],
    ['before:2026-11-01', { untilMs: Date.UTC(2026, 10, 1) }],
    ['-after:2026-11-01', { untilMs: Date.UTC(2026, 10, 1) }],
    [
      'after:2026-11-01 after:2025-01-01 before:2027-01-01 before:2026-12-01',
      {
        ...{ sinceMs: Date.UTC(2026, 10, 1), untilMs: Date.UTC(2026, 11, 1) },
      },
    ],
  ] as const) {
    test(q, () => {
      const { folders, isRead, isStarred, sinceMs, untilMs, isEmpty, ignored } = parse(q)
      const none = { folders: FOLDERS, isRead: null, isStarred: null, sinceMs: null, untilMs: null }
      assert.deepEqual({ folders, isRead, isStarred, sinceMs, untilMs }, { ...none, ...expected })
      assert.deepEqual({ isEmpty, ignored }, { isEmpty: false, ignored: [] })
    })
  }

  test('a day begins where the user is', () => {
    assert.equal(parse('after:2026-11-01', 'Europe/Berlin').sinceMs, Date.UTC(2026, 9, 31, 23))
    assert.equal(parse('before:2026-07-01', 'Asia/Kathmandu').untilMs, Date.UTC(2026, 5, 30, 18, 15))
    assert.equal(parse('after:0001-01-01').sinceMs, 0)
  })

  for (const [q, ignored] of [
    ['in:drafts', 'in:drafts: there are inbox, sent, archive, spam and trash'],
    ['has:link', 'has:link: has: is followed by attachment'],
    ['is:blue', 'is:blue: is: is followed by unread, read or starred'],
    ['before:yesterday', 'before:yesterday: a date looks like 2026-11-01'],
    ['after:2026-02-30', 'after:2026-02-30: a date looks like 2026-11-01'],
    ['after:2026-2-3', 'after:2026-2-3: a date looks like 2026-11-01'],
    ['from:', 'from:: nothing follows'],
    ['subject:""', 'subject:"": nothing follows'],
  ] as const) {
    test(`${q} is ignored, and it is said why`, () => {
      const query = parse(`${q} plan`)
      assert.deepEqual(query.ignored, [ignored])
      assert.deepEqual(query.words, parse('plan').words)
      assert.equal(parse(q).isEmpty, true)
    })
  }

  test('of a long phrase the first words are looked up, and behind it those that are typed by themselves', () => {
    const joined = Array.from({ length: 300 }, (_, i) => `w${i}`).join('-')
    const { words, phrases, ignored } = parse(`${joined} "one more" plan `)
    assert.deepEqual([words.length, words.at(-1)?.word], [33, 'wplan'])
    assert.deepEqual(
      phrases.map(({ phrase }) => phrase.trim()),
      [joined.replaceAll('-', ' '), 'one more'],
    )
    assert.deepEqual(ignored, [])
  })

  test('32 words are looked for, and those beyond are named', () => {
    const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ')
    assert.deepEqual(parse(words(32)).ignored, [])
    assert.deepEqual(parse(words(33)).ignored, ['w32: more than 32 words'])
  })

  for (const q of ['', ' \t\n\u3000', '!!! …', '""', '-']) {
    test(`${JSON.stringify(q)} looks for nothing`, () => assert.equal(parse(q).isEmpty, true))
  }

  test('whatever is typed is read, up to its end', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '"',
        '-',
        ':',
        ' ',
        'from:',
        'in:',
        'is:unread',
        'before:',
        '@',
        'a',
        "'",
        '\\',
        '\u200b',
        '2026-11-01',
      ),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const query: SearchQuery = parse(pieces.join(''))
        for (const { word } of query.words) assert(word.length > 0 && word.length <= 101)
        for (const line of query.ignored) assert.match(line, /\S/)
      }),
    )
  })
})
