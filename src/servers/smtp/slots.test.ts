import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOverdue, MAIL_WITHIN_MS, SESSION_MS, type Seat, seatToFree } from './slots.ts'

const seat = (client: string | null, usefulMs: number, isWaiting = false): Seat => ({
  client,
  openedMs: 0,
  usefulMs,
  isWaiting,
})

test('a newcomer gets the seat that was useless for longest, of the client that has most', () => {
  const seats = [seat('a', 1), seat('b', 3), seat('b', 2), seat('b', 4)]
  assert.equal(seatToFree(seats, 'c', 5), seats[2])
  assert.equal(seatToFree(seats, 'a', 5), seats[2])
  assert.equal(seatToFree(seats, 'b', 5), undefined)
})

test('who waits for our answer and who is not counted keeps the seat', () => {
  const seats = [seat('b', 1, true), seat(null, 1), seat(null, 1), seat('b', 3), seat('b', 2)]
  assert.equal(seatToFree(seats, 'c', 5), seats[4])
})

test('of clients who have no more than the newcomer one has to go after a minute without a mail', () => {
  const seats = [seat('a', 10), seat('b', 20)]
  assert.equal(seatToFree(seats, 'c', 60_009), undefined)
  assert.equal(seatToFree(seats, 'c', 60_010), seats[0])
})

test('a session ends ten minutes after its last mail, and after an hour, but not while it waits for us', () => {
  assert.equal(isOverdue(seat('a', 5), 5 + MAIL_WITHIN_MS - 1), false)
  assert.equal(isOverdue(seat('a', 5), 5 + MAIL_WITHIN_MS), true)
  assert.equal(isOverdue(seat('a', SESSION_MS - 1), SESSION_MS - 1), false)
  assert.equal(isOverdue(seat('a', SESSION_MS - 1), SESSION_MS), true)
  assert.equal(isOverdue(seat('a', 0, true), SESSION_MS), false)
})
