// What a browser says of itself to a script of our pages, and the event keys that it becomes.
import type { EventFields } from '@rookery/kernel/touch.ts'

const MAX_REPORT_CHARACTERS = 4_096
const MAX_FACTS = 32

/** Lines of a script: with `n` the navigator and `s` the screen, they fill the object `f`. Any of them may throw. */
export const COLLECT_FACTS = `f.location=location.href
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
`

/** The facts of a report, which is JSON of an object of texts, numbers and booleans; undefined for anything else. */
export function factsOf(report: string): EventFields | undefined {
  if (report.length > MAX_REPORT_CHARACTERS || !report.startsWith('{')) return undefined
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
