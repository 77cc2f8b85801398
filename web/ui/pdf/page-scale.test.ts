import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_PIXELS, MOST_SIDE, pixelsOf, ratioOf, scaleOf } from './page-scale.ts'

test('a page is drawn as wide as it is shown', () => {
  assert.equal(scaleOf(595, 842, 1_190), 2)
  assert.equal(scaleOf(595, 842, 297.5), 0.5)
})

test('whatever a file says of its pages, a canvas stays within its bounds', () => {
  const lengths = [1e-6, 1, 595, 14_400, 1e9, 1e30]
  for (const width of lengths) {
    for (const height of lengths) {
      for (const shown of [1, 390, 4_000]) {
        const scale = scaleOf(width, height, shown)
        const [across, down] = [pixelsOf(width * scale), pixelsOf(height * scale)]
        assert(across >= 1 && down >= 1 && across <= MOST_SIDE && down <= MOST_SIDE)
        assert(across * down <= MOST_PIXELS + MOST_SIDE, `${across} × ${down}`)
      }
    }
  }
})

test('what is ever so long or wide is shown within a page that can be scrolled past', () => {
  assert.equal(ratioOf(600, 800), 0.75)
  assert.equal(ratioOf(1, 1e9), 1 / 4)
  assert.equal(ratioOf(1e9, 1), 8)
  assert.equal(ratioOf(0, 0), 1)
})
