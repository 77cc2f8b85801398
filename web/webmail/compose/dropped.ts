// Files that are dragged onto the page, wherever they are dropped.
import { useEffect, useRef, useState } from 'preact/hooks'

/** Says whether some are over it. `onFiles`: `isInText`: where one writes. */
export function useDropped(onFiles: (files: readonly File[], isInText: boolean) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const left = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      event.stopPropagation()
      latest.current([...(event.dataTransfer?.files ?? [])], (event.target as Element).closest?.('.written') !== null)
    }
    // Before the editor, which would take what it can of it.
    document.addEventListener('dragover', over, { capture: true })
    document.addEventListener('dragleave', left, { capture: true })
    document.addEventListener('drop', drop, { capture: true })
    return () => {
      document.removeEventListener('dragover', over, { capture: true })
      document.removeEventListener('dragleave', left, { capture: true })
      document.removeEventListener('drop', drop, { capture: true })
    }
  }, [])
  return isOver
}
