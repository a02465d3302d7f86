import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeAuthority } from '../../../test/certificates.ts'
import { ownFolder } from '../../../test/own-folder.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'

const DAY_MS = 86_400_000

describe.each(engines)('the health of the console (%s)', (engine) => {
  it('names the room on the disk, and a certificate of the console that soon ends', async () => {
    const folder = ownFolder()
    const { cert, key } = makeAuthority().issue(['127.0.0.1'], { notAfter: Date.now() + 5 * DAY_MS })
    const files = { ROOKERY_TLS_CERT: join(folder, 'cert.pem'), ROOKERY_TLS_KEY: join(folder, 'key.pem') }
    writeFileSync(files.ROOKERY_TLS_CERT, cert)
    writeFileSync(files.ROOKERY_TLS_KEY, key, { mode: 0o600 })
    const rookery = await openTestConsole({ engine, env: { ROOKERY_TLS_LISTEN: '127.0.0.1:0', ...files } })
    const { findings } = await rookery.api.consoleHealth.read()
    expect(findings[0]).toMatchObject({
      about: 'disk',
      text: expect.stringMatching(/^\d+ MiB free under \//) as string,
    })
    expect(findings.filter(({ about, ok }) => about === 'certificate' && !ok)).toMatchObject([
      { text: expect.stringContaining('cert.pem is for 127.0.0.1 until ') as string },
    ])
    writeFileSync(files.ROOKERY_TLS_CERT, makeAuthority().issue(['127.0.0.1']).cert)
    const again = (await rookery.api.consoleHealth.read()).findings
    expect(again.filter(({ ok }) => !ok)).toMatchObject([{ text: expect.stringContaining('key') as string }])
  })
})
