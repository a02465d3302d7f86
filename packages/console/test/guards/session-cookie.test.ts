// Browsers send a cookie to every port of its host: to the token server and to decoys, too. What those record goes into
// incidents, alerts and exports, and none of it may hold half of a session.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Outbound } from '@rookery/kernel/world.ts'
import { ownFolder } from '../own-folder.ts'
import { addPerson, signIn } from '../person.ts'
import { portOf, realBird, when } from '../real-bird.ts'
import { engines, openTestConsole } from '../test-console.ts'

const flock_id = 'flock:default'

/** All bytes below the folder, as text. */
const bytesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n')

describe.each(engines)('the cookie of a session (%s)', (engine) => {
  it(
    'sent to a token and to decoys stands in no event, file, log, alert or export',
    { timeout: 60_000 },
    async () => {
      let log = ''
      const stream = new Writable({ write: (piece: Buffer, _, done) => ((log += piece.toString()), done()) })
      const alerts: string[] = []
      const outbound: Outbound = {
        send: (request) => {
          alerts.push(JSON.stringify({ ...request, body: String(request.body) }))
          return Promise.resolve({ status: 204, headers: {}, body: '' })
        },
      }
      const rookery = await openTestConsole({
        engine,
        world: { outbound },
        log: pino({ level: 'trace' }, stream),
      })
      await rookery.api.flockWebhooks.addGeneric({ flock_id, url: 'https://alerts.example.com/rookery' })
      await addPerson(rookery)
      const { cookie = '' } = (await signIn(rookery)).halves
      const headers = { Cookie: `theme=dark; __Host-rookery=${cookie}`, 'User-Agent': 'Browser' }

      const { decoytoken } = await rookery.api.tokens.create({ kind: 'http', memo: 'Hosts file', flock_id })
      await fetch(decoytoken.url, { headers })
      await fetch(decoytoken.url, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ c: headers.Cookie }),
      })

      const dataDir = ownFolder()
      const bird = await realBird(rookery.console.linkUrl, await rookery.console.enrolLocalBird(), dataDir)
      await when(bird, () => portOf(bird, 'http') > 0 && portOf(bird, 'redis') > 0)
      await fetch(`http://127.0.0.1:${portOf(bird, 'http')}/api/session`, { headers })
      // A browser that meets another protocol sends the same.
      await fetch(`http://127.0.0.1:${portOf(bird, 'redis')}/`, { headers }).catch(() => undefined)

      const unread = async (): Promise<string> =>
        (await rookery.get('/incidents/unacknowledged', { shrink: false, event_limit: 100 })).text
      await expect.poll(unread).toMatch(/"logtype": ?"3005"/)
      await when(bird, ({ spooled }) => spooled === 0)
      await expect.poll(() => alerts.join('')).toContain('3005')
      await rookery.console.base.writer.idle()

      const incidents = await unread()
      const csv = await rookery.get('/decoytoken/history', {
        decoytoken: decoytoken.decoytoken,
        format: 'csv',
      })
      for (const [where, text] of Object.entries({
        incidents,
        alerts: alerts.join(''),
        deliveries: (await rookery.get('/deliveries/list', { flock_id })).text,
        rows: (await rookery.get('/incidents/rows')).text,
        search: (await rookery.get('/incidents/search', { filter_str: cookie })).text,
        csv: csv.text,
        trail: (await rookery.get('/audit_trail/fetch')).text,
        log,
        'files of the console': bytesIn(rookery.console.folder.path),
        'files of the Bird': bytesIn(dataDir),
      }))
        expect([where, text.includes(cookie)]).toEqual([where, false])
      // A token and a decoy recorded that there was such a cookie; else this test would show nothing.
      expect(incidents.match(/__Host-rookery=\(withheld\)/g)?.length ?? 0).toBeGreaterThanOrEqual(2)
    },
  )
})
