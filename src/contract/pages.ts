// The pages around the contract: plain HTML that reads well on a phone, in light and dark.
import type { Guide } from './routes.ts'

const head = (title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css">`

export const REFERENCE_PAGE = `${head('Mail Developer API: reference')}
</head>
<body class="reference">
<header><a href="/docs">Reference</a> <a href="/docs/guides/quick-start">Guides</a> <a href="/openapi.yaml">openapi.yaml</a></header>
<div id="reference"></div>
<noscript><p>The reference needs JavaScript. <a href="/openapi.yaml">openapi.yaml</a> holds all of it.</p></noscript>
<script src="/docs/viewer.js"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`

export const REFERENCE_SCRIPT = `Scalar.createApiReference('#reference', {
  url: '/openapi.yaml',
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  authentication: { preferredSecurityScheme: 'apiKey' },
})
`

export function guidePage(guide: Guide, guides: readonly Guide[]): string {
  const links = guides
    .map(
      ({ name, title }) =>
        `<a href="/docs/guides/${name}"${name === guide.name ? ' aria-current="page"' : ''}>${title}</a>`,
    )
    .join('\n')
  return `${head(`${guide.title}: Mail Developer API`)}
</head>
<body>
<header><a href="/docs">Reference</a> <a href="/docs/guides/quick-start">Guides</a> <a href="/openapi.yaml">openapi.yaml</a></header>
<div class="columns">
<nav aria-label="Guides">
${links}
</nav>
<main>
${guide.html}
</main>
</div>
</body>
</html>
`
}

export const STYLE = `:root {
  --text: #1c1f23; --back: #ffffff; --soft: #f3f4f6; --line: #d9dce1; --link: #0b5bd3;
  font: 16px/1.6 system-ui, sans-serif; color: var(--text); background: var(--back);
}
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8eb; --back: #14171a; --soft: #1f2428; --line: #343a41; --link: #7fb2ff; }
}
body { margin: 0; }
header { display: flex; gap: 1.25rem; padding: .75rem 1rem; border-bottom: 1px solid var(--line); }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
.columns { display: flex; max-width: 70rem; margin: 0 auto; }
nav { flex: 0 0 13rem; padding: 1.5rem 1rem; display: flex; flex-direction: column; gap: .4rem; }
nav a[aria-current] { font-weight: 600; color: var(--text); }
main { flex: 1; min-width: 0; padding: .5rem 1.5rem 4rem; }
pre { background: var(--soft); padding: .9rem 1rem; border-radius: 6px; overflow-x: auto; }
code { font: .9em/1.5 ui-monospace, monospace; }
:not(pre) > code { background: var(--soft); padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top; }
@media (max-width: 45rem) {
  .columns { flex-direction: column; }
  nav { flex: none; flex-direction: row; flex-wrap: wrap; padding: 1rem; border-bottom: 1px solid var(--line); }
  main { padding: .5rem 1rem 3rem; }
}
`
