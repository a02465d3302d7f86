// The whole way of a setting: from a request to what an intruder sees on a real Bird, and back as the bundle's state.
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { RunningBird } from '@rookery/bird/options.ts'
import { realBird, when } from '../../../test/real-bird.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'

const standing = (bird: RunningBird): string[] =>
  [...new Set(bird.state().listening.map(({ instance }) => instance))].sort()

/** What the decoy says first. */
async function greeting(bird: RunningBird, decoy: string): Promise<string> {
  const port = bird.state().listening.find(({ instance }) => instance === decoy)?.boundPort ?? 0
  const socket = connect(port, '127.0.0.1')
  const [text] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return text.toString()
}

describe.each(engines)('a real Bird (%s)', (engine) => {
  it('shows what it is configured to, and then another personality', async () => {
    const rookery = await openTestConsole({ engine })
    const bird = await realBird(rookery.console.linkUrl, await rookery.console.enrolLocalBird())
    const stands = (...decoys: string[]): Promise<void> =>
      when(bird, () => standing(bird).join() === decoys.sort().join())
    await stands('ftp', 'http', 'redis', 'ssh')
    const node_id = bird.state().nodeId ?? ''
    const outcome = async (bundle_tag: string): Promise<string> => {
      const { state, reason } = (await rookery.api.configuration.bundle({ bundle_tag })).bundle
      return `${state}${reason}`
    }

    const { settings } = (await rookery.api.birdQueries.info({ node_id, settings: true })).device
    const { bundle_tag, msg } = await rookery.api.configuration.configure({
      node_id,
      settings: { ...settings, 'redis.enabled': false, 'ftp.banner': 'ProFTPD Server' },
    })
    expect(msg).toBe('The settings are on their way to the Bird.')
    await stands('ftp', 'http', 'ssh')
    await expect.poll(() => outcome(bundle_tag)).toBe('applied')
    expect(await greeting(bird, 'ftp')).toBe('220 ProFTPD Server\r\n')

    const second = await rookery.api.configuration.personality({
      node_id,
      personality: 'linux-server',
      additional_settings: { 'ssh.version': 'OpenSSH_8.9p1 Ubuntu-3ubuntu0.10' },
    })
    await stands('ftp', 'ssh')
    await expect.poll(() => outcome(second.bundle_tag)).toBe('applied')
    expect(await greeting(bird, 'ftp')).toBe('220 (vsFTPd 3.0.3)\r\n')
    expect(await greeting(bird, 'ssh')).toBe('SSH-2.0-OpenSSH_8.9p1 Ubuntu-3ubuntu0.10\r\n')
    const { device } = await rookery.api.birdQueries.info({ node_id })
    expect(device.current_settings).toBe(bird.state().settingsTag)
    expect(device.sensor).toBe(`${process.platform}-${process.arch}`)
  })
})
