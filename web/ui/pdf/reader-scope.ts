// What pdf.js expects of where it runs, which is a thread without a page, and what it may take there. Has to be imported before it.

/** An image of 36,000,000 pixels in four colours, as buffers grow by doubling. */
const MOST_BYTES_AT_ONCE = 256 * 1024 * 1024

/** The same class; of whatever inflates to more, nothing is made. */
function bounded<T extends new (...given: never[]) => object>(made: T, bytesEach: number): T {
  return new Proxy(made, {
    construct(target, given: unknown[], asked) {
      const [length] = given
      if (typeof length === 'number' && length * bytesEach > MOST_BYTES_AT_ONCE)
        throw new RangeError('It is too large.')
      return Reflect.construct(target, given, asked)
    },
  })
}

const ARRAYS = {
  Uint8Array,
  Uint8ClampedArray,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
}

Object.assign(globalThis, {
  // It draws in turns of the screen, which a thread has none of. And where there is no window, it takes itself for the half
  // that only reads, and takes what is said to the thread for its own.
  window: {
    requestAnimationFrame: (draw: () => void) => setTimeout(draw),
    cancelAnimationFrame: (turn: number) => clearTimeout(turn),
  },
  // The browser's own inflates gigabytes at once, beyond any bound.
  DecompressionStream: undefined,
  ArrayBuffer: bounded(ArrayBuffer, 1),
  ...Object.fromEntries(Object.entries(ARRAYS).map(([name, made]) => [name, bounded(made, made.BYTES_PER_ELEMENT)])),
})

export {}
