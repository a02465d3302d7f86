// The script of a page that a browser opens: it reports what the browser says of itself, to the page's own address.
import { createHash } from 'node:crypto'
import type { EventFields } from '@rookery/kernel/touch.ts'
import { queryParameter } from './request-fields.ts'
import type { HttpAnswer, HttpVisit } from './visit.ts'

/** The query parameter of a report: JSON of an object of texts, numbers and booleans. */
const PARAMETER = 'i'
const MAX_REPORT_CHARACTERS = 4_096
const MAX_FACTS = 32
/** A page that leads on does so at the latest after this time. */
const LEAVE_AFTER_MS = 2_000

/** The same for every page, so that its hash is, too. A page that leads on names its target in `data-to`. */
const SCRIPT = `(async()=>{
const n=navigator,s=screen,f={},to=document.body.dataset.to
let left=false
const leave=()=>{if(!left&&to){left=true;location.replace(to)}}
setTimeout(leave,${LEAVE_AFTER_MS})
try{
f.location=location.href
f.referrer=document.referrer
f.platform=n.platform
f.languages=[...n.languages].join()
f.timezone=Intl.DateTimeFormat().resolvedOptions().timeZone
f.screen=s.width+'x'+s.height+'x'+s.colorDepth
f.pixel_ratio=devicePixelRatio
f.cores=n.hardwareConcurrency
f.memory=n.deviceMemory
f.touch_points=n.maxTouchPoints
f.webdriver=n.webdriver===true
const g=document.createElement('canvas').getContext('webgl'),e=g&&g.getExtension('WEBGL_debug_renderer_info')
if(e)f.renderer=g.getParameter(e.UNMASKED_RENDERER_WEBGL)
const u=n.userAgentData&&await n.userAgentData.getHighEntropyValues(['architecture','model','platformVersion','uaFullVersion'])
if(u){f.architecture=u.architecture;f.model=u.model;f.platform_version=u.platformVersion;f.browser_version=u.uaFullVersion}
}catch(_){}
const r=new Image()
r.onload=r.onerror=leave
r.src=location.pathname+'?${PARAMETER}='+encodeURIComponent(JSON.stringify(f))
})()`

const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64')

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store, max-age=0',
  'X-Robots-Tag': 'noindex',
  'Content-Security-Policy': `default-src 'none'; script-src 'sha256-${SCRIPT_HASH}'; img-src 'self'`,
}

/** An empty page that reports; with a target, it then leads there, also without scripts. */
export function scannerPage(target?: string): HttpAnswer {
  const to = target === undefined ? '' : ` data-to="${escaped(target)}"`
  const refresh =
    target === undefined
      ? ''
      : `<noscript><meta http-equiv="refresh" content="${LEAVE_AFTER_MS / 1_000};url=${escaped(target)}"></noscript>`
  const body = `<!DOCTYPE html>\n<html><head><title></title>${refresh}</head><body${to}><script>${SCRIPT}</script></body></html>\n`
  return { status: 200, headers, body }
}

/** In the value of an attribute. */
const escaped = (text: string): string =>
  text.replace(/[&"'<>]/g, (character) => `&#${character.charCodeAt(0)};`)

/** What the page's script reports, as event keys; undefined for a request that is no report. */
export function reportFields(visit: HttpVisit): EventFields | undefined {
  const report = queryParameter(visit, PARAMETER)
  if (report === undefined || report.length > MAX_REPORT_CHARACTERS || !report.startsWith('{'))
    return undefined
  const facts = parsed(report)
  if (facts === undefined) return undefined
  const { location, ...additional } = facts
  return { ...(location !== undefined && { location }), additional_info: additional }
}

type Fact = string | number | boolean

function parsed(report: string): Record<string, Fact> | undefined {
  try {
    const entries = Object.entries(JSON.parse(report) as object).slice(0, MAX_FACTS)
    return Object.fromEntries(
      entries.filter((entry): entry is [string, Fact] => /^(string|number|boolean)$/.test(typeof entry[1])),
    )
  } catch {
    return undefined
  }
}
