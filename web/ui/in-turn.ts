// What is asked for again and again is done once at a time.

/**
 * Gives what asks for it: it is done at once, or, when it is being done, once more afterwards. `rest`: before that.
 */
export function inTurn(act: () => Promise<unknown>, rest: () => Promise<unknown>): () => void {
  let isBusy = false
  let isAsked = false
  async function run(): Promise<void> {
    isBusy = true
    while (isAsked) {
      isAsked = false
      // What goes wrong shows where it is shown.
      await act().catch(() => {})
      await rest()
    }
    isBusy = false
  }
  return () => {
    isAsked = true
    if (!isBusy) void run()
  }
}
