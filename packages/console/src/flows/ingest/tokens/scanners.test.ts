// Known scanners that open links and files: a note says so, and nothing is dropped unless somebody asks for it.
import { describe, expect, it } from 'vitest'
import { engines, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'

/** What each opens, its address, and the note. */
const SCANNERS = [
  ['Safe Links', 'http', '40.94.34.52', 'm365_safe_links'],
  ['Safe Attachments', 'doc-wordproc', '40.107.3.9', 'm365_safe_attachments'],
  ['the picture proxy of Gmail', 'qr-code', '66.249.84.1', 'google_image_proxy'],
  ['a sandbox that runs macros', 'spreadsheet-macro', '70.42.131.107', 'palo_alto_sandbox'],
  ['a gateway that follows links', 'slow-redirect', '67.231.152.7', 'proofpoint_scan'],
  ['a gateway that opens files', 'doc-spreadsheet', '209.222.82.7', 'barracuda_scan'],
] as const

/** A token, and a way to open it from elsewhere, as a proxy tells it. */
async function createToken({ api }: TestConsole, kind: string) {
  const target = kind === 'slow-redirect' ? { browser_redirect_url: 'https://www.example.com/' } : {}
  const { decoytoken, url = '' } = (await api.tokens.create({ kind, memo: 'm', ...target })).decoytoken
  const open = async (source: string): Promise<void> => {
    await (await fetch(url, { headers: { 'X-Forwarded-For': source } })).arrayBuffer()
  }
  return { decoytoken, open }
}

describe.each(engines)('a touch by a known scanner (%s)', (engine) => {
  it('alerts with a note, until the note is ignored; another source has none', async () => {
    const rookery = await openTestConsole({ engine, env: { ROOKERY_TRUSTED_PROXIES: '127.0.0.0/8' } })
    /** The names of the notes on each incident of a source. */
    const notesOn = async (source: string) =>
      (await rookery.api.incidentQueries.all()).incidents.flatMap(({ description }) =>
        description.src_host === source ? [Object.keys(description.matched_annotations ?? {}).join()] : [],
      )
    for (const [scanner, kind, source, name] of SCANNERS) {
      const { decoytoken, open } = await createToken(rookery, kind)
      await open(source)
      await open('198.51.100.7')
      expect(await notesOn(source), scanner).toEqual([name])
      await rookery.api.consoleIgnoreLists.ignoreAnnotation({ annotation: name })
      const next = await createToken(rookery, kind)
      await next.open(source)
      expect(await notesOn(source), scanner).toEqual([name])
      const count = async (id: string) =>
        (await rookery.api.tokens.fetch({ decoytoken: id })).token.triggered_count
      expect([await count(decoytoken), await count(next.decoytoken)], scanner).toEqual([2, 0])
    }
    expect(new Set(await notesOn('198.51.100.7'))).toEqual(new Set(['']))
  })
})
