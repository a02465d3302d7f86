// The custom CSS in the company branding of the tenant (Microsoft Graph, `organizationalBranding`).
import { Fault } from '@rookery/kernel/fault.ts'
import { bodyBackgroundRule, withoutToken, withRule } from './style-sheet.ts'
import type { CallGraph } from './graph.ts'

/** Microsoft Entra takes no more. */
const MAX_CSS_BYTES = 25 * 1024
/** The branding that is shown where no language has its own. */
const DEFAULT_LANGUAGE = { 'Accept-Language': '0' }

export function openCustomCss(call: CallGraph, tenantId: string) {
  const path = `/v1.0/organization/${encodeURIComponent(tenantId)}/branding`
  const cssPath = `${path}/localizations/0/customCSS`
  let last: Promise<unknown> = Promise.resolve()

  /** One after the other: each reads the whole style sheet and writes it again. */
  function inTurn(change: () => Promise<void>): Promise<void> {
    const done = last.then(change, change)
    last = done.catch(() => undefined)
    return done
  }

  async function read(): Promise<string> {
    const { status, text } = await call({
      method: 'GET',
      path: cssPath,
      headers: DEFAULT_LANGUAGE,
      expects: [404],
    })
    return status === 404 ? '' : text
  }

  const write = (css: string) =>
    call({
      method: 'PUT',
      path: cssPath,
      body: css,
      headers: { ...DEFAULT_LANGUAGE, 'Content-Type': 'text/css' },
    })

  /** A tenant without a branding has no place for a style sheet: one space as a text makes it. */
  async function ensureBranding(): Promise<void> {
    const named = { path, headers: DEFAULT_LANGUAGE }
    const { status } = await call({ ...named, method: 'GET', expects: [404] })
    if (status === 404) await call({ ...named, method: 'PATCH', body: { signInPageText: ' ' } })
  }

  return {
    /** Adds the rule of a token; a `conflict` where the background of the body is set already. */
    addRule: (tokenId: string, rule: string): Promise<void> =>
      inTurn(async () => {
        await ensureBranding()
        const css = withoutToken(await read(), tokenId)
        const other = bodyBackgroundRule(css)
        if (other !== undefined)
          throw new Fault(
            'conflict',
            `The custom CSS of the tenant sets the background of the body: ${JSON.stringify(other.slice(0, 200))}. Remove that rule, or install the CSS of this token by hand.`,
          )
        const changed = withRule(css, rule)
        const size = Buffer.byteLength(changed)
        if (size > MAX_CSS_BYTES)
          throw new Fault(
            'conflict',
            `The custom CSS of the tenant would have ${size} bytes with the rule; Microsoft Entra takes ${MAX_CSS_BYTES}.`,
          )
        await write(changed)
      }),
    /** Takes the rules of the token out; nothing to do where there are none. */
    removeRules: (tokenId: string): Promise<void> =>
      inTurn(async () => {
        const css = await read()
        const changed = withoutToken(css, tokenId)
        // An empty body is none: a comment takes the place of the last rule.
        if (changed !== css) await write(changed.trim() === '' ? '/* */\n' : changed)
      }),
  }
}
