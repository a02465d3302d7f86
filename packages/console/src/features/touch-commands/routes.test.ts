import { describe, expect, it } from 'vitest'
import { enrolledBird, heartbeat } from '../../../test/link-bird.ts'
import { flockKey } from '../../../test/read-only-key.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'

describe.each(engines)('commands that touch decoys (%s)', (engine) => {
  it('name the address and the open ports of live Birds, curl first, and leave out what is off', async () => {
    const rookery = await openTestConsole({ engine })
    const { base } = rookery.console
    const { flock_id } = await rookery.api.flocks.create({ name: 'Plant' })
    const { key } = await flockKey(rookery, flock_id)
    const bird = await enrolledBird(rookery)
    const { nodeId: node_id } = bird
    const settings = JSON.stringify({
      'ssh.enabled': true,
      'ssh.port': 22,
      'http.enabled': true,
      'http.port': 80,
      'ftp.enabled': false,
      'ftp.port': 21,
      'telnet.enabled': true,
      'telnet.port': 23,
      'portscan.enabled': true,
    })
    await base.writer.write((tx) =>
      tx.query.updateTable('bird').set({ settings }).where('node_id', '=', node_id).execute(),
    )
    const list = (auth?: string): Promise<string[][]> =>
      (auth === undefined ? rookery.api : rookery.apiAs(auth)).touchCommands
        .list({})
        .then(({ birds }) => birds.map(({ commands }) => commands.map(({ command }) => command)))

    // A Bird of an earlier release does not say what it adds to its ports.
    expect(await list()).toEqual([])
    const notStanding = [{ instance: 'telnet', reason: 'port 23 is in use' }]
    bird.send(heartbeat({ reach: 'own-machine', portOffset: 20_000, notStanding }))
    await expect
      .poll(() => list())
      .toEqual([
        [
          "curl -s -o /dev/null -d 'username=admin&password=admin' http://127.0.0.1:20080/index.html",
          'ssh -p 20022 root@127.0.0.1',
        ],
      ])
    expect((await rookery.api.touchCommands.list({})).birds[0]).toMatchObject({
      node_id,
      commands: [{ service: 'http' }, { service: 'ssh', title: expect.stringMatching(/SSH/) as string }],
    })
    expect(await list(key)).toEqual([])
    expect((await rookery.get('/devices/touch_commands', { flock_id: 'flock:none' })).status).toBe(404)

    bird.send(heartbeat({ reach: 'network', portOffset: 0 }))
    await expect.poll(async () => (await list())[0]?.length).toBe(4)
    await base.writer.write((tx) =>
      tx.query
        .updateTable('bird')
        .set({ ip_address: '2001:db8::5' })
        .where('node_id', '=', node_id)
        .execute(),
    )
    const [commands = []] = await list()
    expect(commands[0]).toContain('http://[2001:db8::5]:80/')
    expect(commands).toContain('ssh -p 22 root@2001:db8::5')
    expect(commands).toContain('nmap -Pn -sV 2001:db8::5')
  })
})
