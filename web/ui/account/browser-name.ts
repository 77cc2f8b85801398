// What a browser calls itself, in words that its user knows. Pure.

/** Each claims to be those below it too. */
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** `Firefox on Linux`; of a program, what comes first. */
export function browserName(userAgent: string | null): string {
  const agent = userAgent ?? ''
  const nameIn = (list: typeof BROWSERS | typeof SYSTEMS) => list.find(([mark]) => mark.test(agent))?.[1]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  if (browser) return system ? `${browser} on ${system}` : browser
  return agent.split(/[\s/]/)[0]?.slice(0, 40) || 'Unknown browser'
}
