// Hostile HTML by the thousand: what fetches or runs, in each of the spellings by which it has slipped through somewhere. Each document
// tries several spellings of one thing.
import { at, FETCHERS, HANDLERS, type HostileDocument, RUN, SHEETS, STYLES } from './hostile-html.ts'

/** Ways to write a URL that browsers read as the same, or as another than a filter does. `at` is `http://place.stranger.test/place`. */
const SPELLINGS: Record<string, (url: string) => string> = {
  'capital letters': (url) => url.replace('http', 'HtTp').toUpperCase().replace('HTTP', 'hTTp'),
  'decimal entities': (url) => [...url].map((letter) => `&#${letter.charCodeAt(0)};`).join(''),
  'entities without an end': (url) => [...url].map((letter) => `&#0000${letter.charCodeAt(0)}`).join(''),
  'hexadecimal entities': (url) => [...url].map((letter) => `&#x${letter.charCodeAt(0).toString(16)};`).join(''),
  'named entities': (url) => url.replace(':', '&colon;').replaceAll('/', '&sol;').replaceAll('.', '&period;'),
  'tabs and lines within': (url) => url.replace('http', 'ht&Tab;t&NewLine;p').replace('://', ':/\n/'),
  'controls in front': (url) => `\u0001 \u000c${url}`,
  'no scheme': (url) => url.replace('http:', ''),
  'one slash': (url) => url.replace('//', '/'),
  backslashes: (url) => url.replace('//', '\\\\'),
  'more slashes': (url) => url.replace('//', '/\\//\\'),
  'a user': (url) => url.replace('//', '//localhost@'),
  'dots of another script': (url) => url.replaceAll('.', '\u3002'),
  'letters of full width': (url) => url.replace('stranger', 'ｓｔｒａｎｇｅｒ'),
  'an IDN': (url) => url.replace('//', '//bücher.'),
  'percents in the host': (url) => url.replace('stranger', 'str%61nger'),
  'another port': (url) => url.replace('.test/', '.test:8443/'),
  'invisible characters': (url) => url.replace('stranger', 'stra\u200bn\u00adger'),
  websockets: (url) => url.replace('http', 'ws'),
  ftp: (url) => url.replace('http', 'ftp'),
  'a list of sources': (url) => `${url} 1x, ${url} 2x`,
  'a scheme around it': (url) => `view-source:${url}`,
  'a feed': (url) => `feed:${url}`,
  'a blob': (url) => `blob:${url}`,
  'an archive': (url) => `jar:${url}!/`,
  'a path of the site': () => '/data/session',
  'another path of the site': () => '/sign-out?everywhere',
}

/** Ways to write what runs. */
const RUNNING: Record<string, string> = {
  'mixed case': `JaVaScRiPt:${RUN}`,
  entities: `&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;${RUN}`,
  'a tab within': `java\tscript:${RUN}`,
  'a line within': `java&#10;script&#13;:${RUN}`,
  'controls in front': `\u0001\u001f javascript:${RUN}`,
  'a null within': `java\u0000script:${RUN}`,
  'a comment in front': `javascript://%0a${RUN}`,
  'another language': `vbscript:${RUN}`,
  livescript: `livescript:${RUN}`,
  mocha: `mocha:[${RUN}]`,
  'data as HTML': `data:text/html;base64,${btoa(`<script>${RUN}</script>`)}`,
  'data as XML': `data:application/xhtml+xml,<x xmlns="http://www.w3.org/1999/xhtml"><script>${RUN}</script></x>`,
  'data as SVG': `data:image/svg+xml;base64,${btoa(`<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"/>`)}`,
  'data as script': `data:text/javascript,${RUN}`,
}

/** Ways to write an attribute that handles an event. */
const ATTRIBUTES: Record<string, (handler: string) => string> = {
  capitals: (handler) => `<img src=x: ${handler.toUpperCase()}="${RUN}">`,
  'slashes for blanks': (handler) => `<img/src=x:/${handler}="${RUN}">`,
  'no quotes': (handler) => `<img src=x: ${handler}=${RUN}>`,
  'quotes of others': (handler) => `<img src=x: ${handler}=\`${RUN}\`><img src="x:"" ${handler}="${RUN}">`,
  'lines between': (handler) => `<img\nsrc=x:\n${handler}\n=\n"${RUN}"\n>`,
  'entities in the value': (handler) => `<body ${handler}="&#99onsole.log('${'a script of the message ran'}')">`,
  'a null within': (handler) => `<img src=x: on\u0000${handler.slice(2)}="${RUN}" ${handler}\u0000="${RUN}">`,
  'a formatted element': (handler) => `<b><i contenteditable tabindex=0 autofocus ${handler}="${RUN}">x</i></b>`,
  'an unknown element': (handler) => `<x-y tabindex=1 autofocus ${handler}="${RUN}">x</x-y><x ${handler}="${RUN}">`,
  'a broken tag': (handler) => `<<img src=x: ${handler}="${RUN}"<p>x`,
}

/** Ways to write `url(…)` in CSS. */
const URLS: Record<string, (css: string) => string> = {
  capitals: (css) => css.replaceAll('url(', 'UrL('),
  'an escape within': (css) => css.replaceAll('url(', 'u\\72l('),
  'escapes throughout': (css) => css.replaceAll('url(', '\\000075\\000072\\00006c('),
  'quotes around': (css) => css.replaceAll(/url\(URL(#a)?\)/g, "url( 'URL$1' )"),
  'escapes in the address': (css) => css.replaceAll('URL', 'ht\\74p\\3a\\2f\\2f css.stranger.test/a'),
  'lines between': (css) => css.replaceAll('url(', 'url(\n\t'),
  'comments around': (css) => css.replaceAll('url(', '/**/url(').replaceAll(':', ':/**/'),
  'by a variable': (css) => `--v:url(URL);${css.replaceAll(/url\(URL\)/g, 'var(--v)')}`,
  'the other function': (css) => css.replaceAll(/url\(URL\)/g, 'src("URL")'),
  'no end': (css) => css.replaceAll(/url\(URL\)/g, 'url(URL'),
  important: (css) => `${css} !important`,
}

/** Ways to bring a style sheet along. */
const PLACES: Record<string, (css: string) => string> = {
  'the head': (css) => `<head><style>${css}</style></head><p>x<ul><li>x</ul>`,
  'a sheet of another type': (css) =>
    `<style type="text/x" media="all">${css}</style><style type=" text/css">${css}</style><p>x`,
  'an SVG': (css) => `<svg><style>${css}</style><text>x</text></svg><p>x<ol><li>x</ol>`,
  'a MathML': (css) => `<math><style>${css}</style><mtext>x</mtext></math><p>x`,
  'a comment': (css) => `<style><!--\n${css}\n--></style><p>x<ol><li>x</ol>`,
  'no end': (css) => `<p>x<style>${css}`,
  'rules within rules': (css) =>
    `<style>body{&{ ${css} }} @layer a{${css}} @supports (top:0){${css}}</style><p>x<ol><li>x</ol>`,
  'a shadow': (css) => `<div><template shadowrootmode=open><style>${css}</style><p>x</p></template></div>`,
}

/** Where the rules of parsing change. */
const OPENERS: readonly string[] = [
  '<math><mtext>',
  '<math><mi><mglyph>',
  '<math><annotation-xml encoding="text/html">',
  '<math><annotation-xml encoding="application/xhtml+xml">',
  '<svg><desc>',
  '<svg><title>',
  '<svg><foreignObject>',
  '<svg></p>',
  '<form><math><mtext></form><form>',
  '<table><tr><td><svg>',
  '<table><caption><math><mtext>',
  '<select><template>',
  '<template><svg>',
  '<a><table><a>',
  '<button><p><button>',
  '<ruby><rt><svg><desc>',
  '<frameset><svg>',
  '<p><noscript>',
]

/** What is read as text here and as markup there. */
const RAW = 'style script title textarea xmp noscript noembed noframes iframe plaintext listing'.split(' ')

/** How a script gets out of it. */
const EXITS: Record<string, (raw: string) => string> = {
  'an attribute': (raw) => `<${raw}><a title="</${raw}><img src=x: onerror=${RUN}>">x`,
  'a comment': (raw) => `<${raw}><!--</${raw}><img src=x: onerror="${RUN}">-->`,
  entities: (raw) => `<${raw}>&lt;/${raw}&gt;&lt;img src=x: onerror="${RUN}"&gt;</${raw}>`,
  CDATA: (raw) => `<![CDATA[<${raw}>]]></${raw}><img src=x: onerror="${RUN}"><${raw}>]]>`,
}

/** Of SVG and MathML, by what names another place. */
const DRAWN =
  'a use image feImage script animate set mpath textPath linearGradient radialGradient pattern filter cursor tref font-face-uri ' +
  'color-profile handler listener discard altGlyph glyphRef foreignObject video audio iframe canvas mi mtext mglyph maction semantics'

/** What a document may say instead of headers. */
const HEADERS: readonly (readonly [name: string, content: string])[] = [
  ['refresh', `0; URL=${at('meta')}`],
  ['refresh', `0;URL='javascript:${RUN}'`],
  ['refresh', `\n0\n,\nurl="${at('meta-lines')}"`],
  ['Content-Security-Policy', "img-src *; script-src 'unsafe-inline'; connect-src *"],
  ['Content-Security-Policy-Report-Only', `default-src 'none'; report-uri ${at('report')}`],
  ['Content-Security-Policy', `default-src 'none'; report-uri ${at('report')}`],
  ['content-type', 'text/html; charset=utf-7'],
  ['default-style', 'other'],
  ['origin-trial', 'AAAA'],
  ['delegate-ch', `sec-ch-ua-model ${at('hints')}`],
  ['accept-ch', 'sec-ch-ua-model'],
  ['Link', `<${at('meta-link')}>; rel=preload; as=image`],
  ['pics-label', at('pics')],
  ['window-target', '_top'],
  ['set-cookie', '__Host-mdk_webmail=x; path=/; secure'],
]

/** What looks like ours, or asks our page for something. */
const OURS: readonly string[] = [
  `<script>parent.postMessage({type:'height',height:1e9},'*');parent.postMessage({type:'key',key:'#'},'*')</script>`,
  `<script>top.location='/sign-out'</script><a href="/sign-out" target=_top autofocus onfocus=click()>x</a>`,
  `<iframe src="/inbox"></iframe><iframe src="/frame"></iframe><object data="/data/session"></object>`,
  `<img src="/inline/x"><img src="/image/x"><img src="/data/session"><img src="//localhost/image/x">`,
  `<form action="/sign-out" method=post><button autofocus>x</button></form><input form=x formaction=/sign-out>`,
  `<link rel=stylesheet href="/assets/script.js"><script src="/assets/script.js"></script>`,
  `<base href="/data/"><img src="session"><a href="session">x</a>`,
  `<div id=app></div><div id=main class=toast role=alert>Signed out. <a href="https://shop.test">Sign in</a></div>`,
  `<img name=getElementById><form name=querySelector></form><a id=parent href=x>x</a><a name=currentScript>x</a>`,
  `<form id=x tabindex=0 onfocus=alert(1)><input name=attributes><input name=parentNode></form>`,
  `<html manifest="/m"><body id=documentElement name=body onmessage="${RUN}" onhashchange="${RUN}">`,
  `<style>@import "/inbox";*{background:url(/data/session)}</style><p style="background:url(/sign-out)">x`,
  `<style>:root{position:fixed;inset:0;z-index:2147483647;height:1e9px;width:1e9px}</style><p>x`,
  `<p style="position:fixed;top:-9999px;left:-9999px;width:99999px;height:99999px;z-index:99999">x`,
  `<meter><progress><output><dialog open autofocus><fieldset><legend>x`,
  `<a href="https://localhost/sign-out" ping="/sign-out" download target=_parent rel=opener>x</a>`,
  `<p contenteditable autofocus tabindex=0 accesskey=a inputmode=none>x`,
  `<p style="animation:spin 1s infinite">x<style>@keyframes spin{to{rotate:1turn}}</style>`,
]

/** Each in its turn: more than a thousand. */
export function* hostileForms(): Generator<HostileDocument> {
  for (const [tag, attribute, more = ''] of FETCHERS) {
    const element = (value: string) => `<${tag} ${attribute}="${value}" ${more}>x</${tag}>`
    const asking = Object.entries(SPELLINGS).map(([way, spelt]) => ({ name: way, html: element(spelt(at('spelt'))) }))
    const running = Object.entries(RUNNING).map(([way, value]) => {
      return { name: `runs, ${way}`, html: element(value.replaceAll('"', '&quot;')) }
    })
    for (const { name, html } of [...inPairs(asking), ...inPairs(running)]) {
      yield { name: `${tag} ${attribute}: ${name}`, html }
    }
  }
  for (const handler of HANDLERS) {
    const html = Object.values(ATTRIBUTES).map((spelt) => spelt(handler))
    yield { name: `${handler}, spelt otherwise`, html: html.slice(0, 5).join('') }
    yield { name: `${handler}, spelt otherwise still`, html: html.slice(5).join('') }
  }
  for (const [i, style] of STYLES.entries()) {
    for (const [spelling, spelt] of Object.entries(URLS)) {
      const css = spelt(style).replaceAll('URL', at(`form-${i}`))
      const html = `<p style="${css.replaceAll('"', '&quot;')}">x</p><style>p,li,p::after{${css}}</style><ul><li>x</ul>`
      yield { name: `style, ${spelling}: ${css}`, html }
    }
  }
  for (const [i, sheet] of SHEETS.entries()) {
    const css = sheet.replaceAll('URL', at(`place-${i}`))
    for (const [place, html] of Object.entries(PLACES)) yield { name: `sheet in ${place}: ${css}`, html: html(css) }
  }
  for (const opener of OPENERS) {
    for (const raw of RAW) {
      const html = Object.values(EXITS).map((exit) => `${opener}${exit(raw)}`)
      yield { name: `${opener} ${raw}`, html: html.slice(0, 2).join('<p>') }
      yield { name: `${opener} ${raw}, closed otherwise`, html: html.slice(2).join('<p>') }
    }
  }
  for (const tag of DRAWN.split(' ')) {
    const names = ['href', 'xlink:href', 'src', 'xml:base', 'style', 'fill', 'filter', 'to', 'values', 'actiontype']
    const all = (value: string) => names.map((name) => `${name}="${value}"`).join(' ')
    yield {
      name: `svg ${tag} asks`,
      html: `<svg><${tag} ${all(at('drawn'))} width=9 height=9><text>x</text></${tag}></svg>`,
    }
    yield {
      name: `svg ${tag} runs`,
      html: `<svg><${tag} ${all(`javascript:${RUN}`)} attributeName=href>x</${tag}></svg>`,
    }
    yield {
      name: `math ${tag}`,
      html: `<math><${tag} ${all(at('math'))}>x</${tag}></math><${tag} ${all(at('bare'))}>x`,
    }
  }
  for (const [name, content] of HEADERS) {
    const meta = `<meta http-equiv="${name}" content="${content.replaceAll('"', '&quot;')}">`
    yield { name: `meta ${name}: ${content}`, html: `<head>${meta}</head><body><img src="${at('after-meta')}">${meta}` }
  }
  for (const html of OURS) yield { name: html, html }
}

/** Two in one document: what the first leaves open is open in the second. */
function inPairs(documents: readonly HostileDocument[]): HostileDocument[] {
  return documents.flatMap(({ name, html }, i) => {
    const next = documents[i + 1]
    return i % 2 === 1 ? [] : { name: `${name}, ${next?.name ?? ''}`, html: html + (next?.html ?? '') }
  })
}
