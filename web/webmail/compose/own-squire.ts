// The editor's engine, which is given nothing that was not cleaned: what is undone to is read from text like anything else.
import Squire from 'squire-rte'
import { cleanBody } from './clean-body.ts'

export class OwnSquire extends Squire {
  readonly #isFile: (id: string) => boolean

  /** `isFile`: whether a file goes along, so that its image may show. */
  constructor(root: HTMLElement, isFile: (id: string) => boolean) {
    super(root, {
      sanitizeToDOMFragment: (html) => cleanBody(html, { isFile }),
      undo: { documentSizeThreshold: 100_000, undoLimit: 100 },
      didError: (error: unknown) => reportError(error),
    })
    this.#isFile = isFile
    // It would style what it draws around an image by attributes, which the page's policy refuses.
    this._imageResizer.destroy()
    // Tab leads on, as everywhere.
    this.setKeyHandler('Tab', null).setKeyHandler('Shift-Tab', null)
    // On every platform they lead by a page.
    this.setKeyHandler('PageUp', null).setKeyHandler('PageDown', null)
  }

  override _setRawHTML(html: string): Squire {
    const marks = [this.startSelectionId, this.endSelectionId]
    const root = this.getRoot()
    root.replaceChildren(cleanBody(html, { isFile: this.#isFile, marks }))
    if (!root.firstChild) root.append(this.createDefaultBlock())
    this._ignoreChange = true
    return this
  }
}
