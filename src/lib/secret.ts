// A text that must not show by accident. Knows nothing of where secrets come from or go.
import { inspect } from 'node:util'

const SHOWN = '[secret]'

/** Prints `[secret]` wherever it is logged, joined into a text, inspected or turned into JSON. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The text itself. Called only where it leaves for its use, so that these places are few and can be found. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return SHOWN
  }

  toJSON(): string {
    return SHOWN
  }

  [inspect.custom](): string {
    return SHOWN
  }
}
