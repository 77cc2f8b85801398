// Has the page look as the user wants it: the server begins it so, and what is changed shows at once.
import { useLayoutEffect } from 'preact/hooks'
import { useSettings } from './own-settings.ts'

export function useTheme(): void {
  const theme = useSettings().data?.theme
  useLayoutEffect(() => {
    if (theme === undefined) return
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])
}
