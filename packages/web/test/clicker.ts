// Acts on every control of a page: of what it shows at once, and of what a click opens. Each by the clicks that led there.
import type { Page, Request } from 'playwright-core'
import { controlsOf, elementAt, type Control } from './controls.ts'

/** No page has as many: one that does grows while it is clicked. */
const MOST = 250
/** What cannot be acted on at the last try is covered by something; a dialog that comes late covers it once. */
const PATIENCE_MS = [5_000, 60_000] as const
const FIELDS: Readonly<Record<string, string>> = {
  number: '2',
  email: 'dora@example.com',
  url: 'https://alerts.example.com/in',
  date: '2026-11-20',
  'datetime-local': '2026-11-20T09:39',
  password: 'heron under the lighthouse',
  color: '#336699',
}

export interface Clicked {
  readonly acted: number
  /** Seen, but gone when the page was opened again: what an earlier click took away. */
  readonly gone: readonly string[]
  readonly findings: readonly string[]
}

export interface Target {
  /** Opens it anew, with what was taken away planted again. */
  readonly open: () => Promise<void>
  readonly withShell: boolean
  /** What was acted on or is waiting, by its key; the caller may carry some of it to the next page. */
  readonly seen: Set<string>
  /** Not to be clicked here. */
  readonly isSpared: (key: string) => boolean
}

/** Requests under way, but for the stream, which does not end. */
export function watchRequests(page: Page) {
  const under = new Set<Request>()
  let wake = () => {}
  const isStream = (request: Request) => request.url().endsWith('/api/v1/live')
  page.on('request', (request) => void (isStream(request) || under.add(request)))
  const ended = (request: Request) => (under.delete(request), wake())
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return async (): Promise<void> => {
    do {
      while (under.size > 0) await new Promise<void>((resolve) => (wake = resolve))
      await page
        .evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
        // It is going elsewhere.
        .catch(() => page.waitForLoadState())
    } while (under.size > 0)
  }
}

export async function clickAll(page: Page, settle: () => Promise<void>, target: Target): Promise<Clicked> {
  const findings = new Set<string>()
  const gone: string[] = []
  const { seen } = target
  const failures = new Map<string, number>()
  const waiting = new Map<string, readonly string[]>()
  let acted = 0

  const path = () => new URL(page.url()).pathname
  let here = ''

  /** `way`: the clicks that led to what is new. */
  const look = async (way: readonly string[]): Promise<Control[]> => {
    await settle()
    // Another page is looked at in its own turn.
    if (path() !== here) return []
    const shown = await controlsOf(page, target.withShell)
    for (const { key, isDisabled, why } of shown) {
      if (isDisabled && why === '') findings.add(`does not say why it is disabled: ${key}`)
      if (isDisabled || seen.has(key) || target.isSpared(key)) continue
      seen.add(key)
      waiting.set(key, way)
    }
    return shown
  }
  const reopen = async () => {
    await target.open()
    here = path()
    return look([])
  }
  let shown = await reopen()
  while (waiting.size > 0) {
    if (acted >= MOST) throw new Error(`more than ${MOST} controls: ${[...seen].slice(-9).join(' · ')}`)
    let next = nextOf(shown, waiting)
    if (next === undefined) {
      const [[key, led] = ['', []]] = waiting
      shown = await reopen()
      for (const [at, step] of led.entries()) {
        if (!shown.some((it) => it.key === step)) break
        await act(page, shown, step)
        shown = await look(led.slice(0, at + 1))
      }
      next = shown.some((it) => it.key === key && !it.isDisabled) ? key : undefined
      if (next === undefined) {
        waiting.delete(key)
        gone.push(key)
        continue
      }
    }
    const led = waiting.get(next) ?? []
    waiting.delete(next)
    acted++
    const failed = failures.get(next) ?? 0
    const said = await act(page, shown, next, PATIENCE_MS[failed])
    shown = await look([...led, next])
    // What the console disabled meanwhile says why: `look` has seen to it.
    if (said === undefined || !shown.some(({ key, isDisabled }) => key === next && !isDisabled)) continue
    failures.set(next, failed + 1)
    if (failed + 1 < PATIENCE_MS.length) waiting.set(next, led)
    else findings.add(said)
  }
  return { acted, gone, findings: [...findings] }
}

/** Fields first, so that buttons have something to send; ways out last. */
function nextOf(shown: readonly Control[], waiting: ReadonlyMap<string, unknown>): string | undefined {
  const open = shown.filter(({ key, isDisabled }) => !isDisabled && waiting.has(key))
  const rank = ({ tag, isWayOut }: Control) =>
    isWayOut ? 3 : tag === 'a' ? 2 : /input|select|textarea/.test(tag) ? 0 : 1
  return open.sort((one, other) => rank(one) - rank(other))[0]?.key
}

/** Answers what is wrong with acting on it. */
async function act(
  page: Page,
  shown: readonly Control[],
  key: string,
  timeout: number = PATIENCE_MS[0],
): Promise<string | undefined> {
  const at = shown.findIndex((it) => it.key === key)
  const { tag, type } = shown[at]!
  const element = await elementAt(page, at)
  try {
    if (tag === 'select') {
      const values = await element.evaluate((it) =>
        [...(it as HTMLSelectElement).options]
          .filter((one) => !one.disabled && !one.selected)
          .map(({ value }) => value),
      )
      if (values[0] !== undefined) await element.selectOption(values[0], { timeout })
    } else if (type === 'file')
      await element.setInputFiles({
        name: 'a.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('kind,memo\nhttp,Wiki\n'),
      })
    else if (tag === 'textarea' || (tag === 'input' && !/checkbox|radio|button|submit|range/.test(type)))
      await element.fill(FIELDS[type] ?? 'kestrel', { timeout })
    // A way past the frame shows itself to those who come to it by key.
    else if (tag === 'a' && key.endsWith('#content')) await element.press('Enter', { timeout })
    else await element.click({ timeout })
    return undefined
  } catch (error) {
    const isAttached = await element.evaluate((it) => it.isConnected).catch(() => false)
    // A late answer may have replaced it or taken it away.
    return isAttached
      ? `cannot be acted on: ${key}: ${String(error).split('\n').slice(0, 12).join(' ')}`
      : undefined
  } finally {
    await element.dispose()
  }
}
