// The gate G13 at the size of a test: two of its attacks, and no times.
import { beforeAll, expect, it } from 'vitest'
import { prepare } from '../../tools/prepare.mjs'
import { besiege } from '../rig/strangers/besiege.ts'
import { toItsEnd } from './lib/to-its-end.ts'

beforeAll(() => prepare({ bundle: true }))

it('visitors from elsewhere are answered, and their logins are incidents, while strangers send what is costly', async () => {
  const sieges = await toItsEnd(besiege({ names: ['multipart', 'silent'], seconds: 1, warmUpMs: 200 }))
  for (const { title, failed, done, tokenMs, loginMs } of sieges) {
    expect(failed, title).toBe(0)
    expect(done, title).toBeGreaterThan(0)
    expect(tokenMs.length, title).toBeGreaterThan(0)
    expect(loginMs.length, title).toBeGreaterThan(0)
  }
})
