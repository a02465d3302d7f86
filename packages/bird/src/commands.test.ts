import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { portOf, startRegisteredBird, sendLines } from '../test/test-bird.ts'

describe('commands', () => {
  const command = (kind: string, id = 'c1') => ({ kind: 'CMD', body: { id, kind, payload: {} } }) as const

  test('reboot: a new boot id, the decoys open again, and a repeated command is not carried out twice', async () => {
    const { console, bird } = await startRegisteredBird()
    const first = await console.frame('HELLO')
    const seen = console.frames.length
    console.send(command('reboot'))
    expect(await console.frame('CMD_RESULT')).toEqual({ id: 'c1', ok: true, detail: 'rebooting' })
    const second = await console.frame('HELLO', seen)
    expect(second.bootId).not.toBe(first.bootId)
    const after = console.frames.length
    console.send(command('reboot'))
    await console.frame('CMD_RESULT', after)
    await bird.when(({ listening }) => listening.length === 1)
    await sendLines(portOf(bird), 'still here')
    await console.until(() => console.events.length === 1)
    expect(console.frames.filter(({ kind }) => kind === 'HELLO')).toHaveLength(2)
  })

  test('decommission: the decoys close, and the identity, settings and spool are deleted', async () => {
    const { console, bird, dataDir } = await startRegisteredBird()
    console.send(command('decommission'))
    expect((await console.frame('CMD_RESULT')).ok).toBe(true)
    expect(await bird.ended).toBe('decommissioned')
    expect(bird.state().listening).toEqual([])
    expect(readdirSync(dataDir)).toEqual(['bird.lock'])
  })

  test('power-off: the Bird ends, and its identity stays', async () => {
    const { console, bird, dataDir } = await startRegisteredBird()
    console.send(command('poweroff'))
    expect(await bird.ended).toBe('powered-off')
    expect(existsSync(join(dataDir, 'identity.json'))).toBe(true)
  })

  test('an unknown command is answered', async () => {
    const { console } = await startRegisteredBird()
    console.send(command('dance'))
    expect(await console.frame('CMD_RESULT')).toMatchObject({
      ok: false,
      detail: 'this Bird does not know the command dance',
    })
  })

  test('a revoked Bird closes its decoys and ends', async () => {
    const { console, bird } = await startRegisteredBird()
    console.send({ kind: 'REFUSED', body: { reason: 'revoked', message: 'decommissioned' } })
    expect(await bird.ended).toBe('revoked')
  })
})
