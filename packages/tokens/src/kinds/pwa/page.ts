// What a browser asks for of the app: its page, its manifest (W3C, Web Application Manifest) and its icons.
import { createHash } from 'node:crypto'
import { COLLECT_FACTS } from '../../channels/http/browser-facts.ts'
import type { HttpAnswer } from '../../channels/http/visit.ts'
import { colourOf, type IconName } from './artworks.ts'
import { iconOf, ICON_SIZES } from './icons.ts'
import { escapedMarkup } from '../../xml/escape.ts'

export interface App {
  readonly pwa_app_name: string
  readonly pwa_icon: IconName
}

/** How a page is shown that is an app. In a tab the mode is `browser`. */
export const APP_MODES = ['standalone', 'fullscreen', 'minimal-ui', 'window-controls-overlay'] as const

/** All references are relative: nothing of the address that a visitor chose stands in an answer. */
const SCRIPT = `(async()=>{
const n=navigator,s=screen,f={}
const m=${JSON.stringify(APP_MODES)}.find(x=>matchMedia('(display-mode: '+x+')').matches)||(n.standalone?'standalone':'')
if(!m)return
document.body.className='app'
f.display_mode=m
try{
${COLLECT_FACTS}}catch(_){}
fetch('?session',{method:'POST',headers:{'Content-Type':'application/json'},body:JSON.stringify(f)}).finally(()=>{document.body.className='app failed'})
})()`

const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64')

const unstored = { 'Cache-Control': 'no-store, max-age=0', 'X-Robots-Tag': 'noindex' }

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  ...unstored,
  'Content-Security-Policy': `default-src 'none'; script-src 'sha256-${SCRIPT_HASH}'; style-src 'unsafe-inline'; img-src 'self'; manifest-src 'self'; connect-src 'self'`,
}

const STYLE =
  'body{font:17px/1.5 system-ui,sans-serif;text-align:center;margin:18vh auto;max-width:22rem;padding:0 1rem;color:#222}img{width:96px;border-radius:22px}h1{font-size:1.3rem}.wait,.error{display:none}.app .tab,.failed .wait{display:none}.app .wait,.failed .error{display:block}.failed.app .wait{display:none}'

/** In a tab it asks to be installed; as an app it reports, and then finds no connection. */
export function appPage({ pwa_app_name, pwa_icon }: App): HttpAnswer {
  const name = escapedMarkup(pwa_app_name)
  const body = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="theme-color" content="${colourOf(pwa_icon)}">
<meta name="mobile-web-app-capable" content="yes"><meta name="apple-mobile-web-app-capable" content="yes"><meta name="apple-mobile-web-app-title" content="${name}">
<link rel="manifest" href="?manifest"><link rel="apple-touch-icon" href="?icon=180"><link rel="icon" href="?icon=192"><style>${STYLE}</style></head>
<body><img src="?icon=192" alt=""><h1>${name}</h1>
<p class="tab">Install this app: choose "Add to Home Screen" or "Install app" in the menu of your browser.</p>
<p class="wait">Signing in …</p><p class="error">The server cannot be reached. Connect to the company network and try again.</p>
<script>${SCRIPT}</script></body></html>
`
  return { status: 200, headers: pageHeaders, body }
}

export const manifest = ({ pwa_app_name, pwa_icon }: App): HttpAnswer => ({
  status: 200,
  headers: { 'Content-Type': 'application/manifest+json', ...unstored },
  body: JSON.stringify({
    name: pwa_app_name,
    short_name: pwa_app_name,
    start_url: '?start',
    scope: './',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: colourOf(pwa_icon),
    icons: ICON_SIZES.map((size) => ({
      src: `?icon=${size}`,
      sizes: `${size}x${size}`,
      type: 'image/png',
    })),
  }),
})

/** Undefined for a size that no page of ours asks for. */
export function iconAnswer({ pwa_icon }: App, asked: string): HttpAnswer | undefined {
  const size = ICON_SIZES.find((it) => String(it) === asked)
  return (
    size && {
      status: 200,
      headers: { 'Content-Type': 'image/png', ...unstored },
      body: iconOf(pwa_icon, size),
    }
  )
}
