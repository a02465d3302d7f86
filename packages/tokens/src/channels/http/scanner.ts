// The script of a page that a browser opens: it reports what the browser says of itself, to the page's own address.
import { createHash } from 'node:crypto'
import type { EventFields } from '@rookery/kernel/touch.ts'
import { COLLECT_FACTS, factsOf } from './browser-facts.ts'
import { queryParameter } from './request-fields.ts'
import type { HttpAnswer, HttpVisit } from './visit.ts'
import { escapedMarkup } from '../../xml/escape.ts'

/** The query parameter of a report: JSON of an object of texts, numbers and booleans. */
const PARAMETER = 'i'
/** A page that leads on does so at the latest after this time. */
const LEAVE_AFTER_MS = 2_000

/** A page that was opened in the background reports once somebody looks at it. */
const REPORTS_FOR_MS = 600_000

/** The same for every page, so that its hash is, too. A page that leads on names its target in `data-to`. */
const SCRIPT = `(async()=>{
const n=navigator,s=screen,f={},to=document.body.dataset.to
let left=false
const leave=()=>{if(!left&&to){left=true;location.replace(to)}}
setTimeout(leave,${LEAVE_AFTER_MS})
try{
${COLLECT_FACTS}}catch(_){}
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
  const to = target === undefined ? '' : ` data-to="${escapedMarkup(target)}"`
  const refresh =
    target === undefined
      ? ''
      : `<noscript><meta http-equiv="refresh" content="${LEAVE_AFTER_MS / 1_000};url=${escapedMarkup(target)}"></noscript>`
  const body = `<!DOCTYPE html>\n<html><head><title></title>${refresh}</head><body${to}><script>${SCRIPT}</script></body></html>\n`
  return { status: 200, headers, body }
}

/** Who gets the page, and not a picture. */
export const asksForPage = (accept: string | undefined): boolean => accept?.includes('text/html') ?? false

/** For how long a visit may report that got the page; undefined for any other, which is no report itself. */
export const reportsForMs = (visit: HttpVisit): number | undefined =>
  asksForPage(visit.headers['Accept']) || queryParameter(visit, PARAMETER) !== undefined
    ? REPORTS_FOR_MS
    : undefined

/** What the page's script reports, as event keys; undefined for a request that is no report. */
export function reportFields(visit: HttpVisit): EventFields | undefined {
  const report = queryParameter(visit, PARAMETER)
  return report === undefined ? undefined : factsOf(report)
}
