// Kinds that notice a copy of a page.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { unacknowledged } from '../lib/incidents.ts'
import { openInChromium, serveSite } from '../lib/site.ts'
import type { TokenProof, FiringDeps, Planted } from './token-proof.ts'

/** Shows a page with this content at `http://<host>`; throws when the browser could not. */
async function browse(html: string, host: string, folder: string): Promise<string> {
  const site = await serveSite(html)
  const url = `http://${host}:${site.port}/login?from=mail&to=you`
  const { code, stderr } = await openInChromium(url, join(folder, 'chromium'))
  site.close()
  assert.equal(code, 0, stderr)
  return url
}

/** At home nothing fires; on a foreign host it does. */
export async function atHomeAndAway(
  { id }: Planted,
  { console, folder }: FiringDeps,
  html: string,
): Promise<string> {
  await browse(html, 'www.home.example', folder)
  const early = (await unacknowledged(console)).filter(({ description }) => description.node_id === id)
  assert.deepEqual(early, [], 'it fired at home')
  return browse(html, 'home.example.evil.test', folder)
}

const css = ({ renders }: Planted): string =>
  `<html><head><style>${renders['css']}</style></head><body>x</body></html>`

export const clones: readonly TokenProof[] = [
  {
    kind: 'cloned-web',
    program: 'Chromium',
    needs: ['chromium'],
    settings: { cloned_web: 'home.example' },
    logtype: '17003',
    async fire(planted, deps) {
      const page = `<html><body>x${planted.renders['html']}</body></html>`
      return { location: await atHomeAndAway(planted, deps, page) }
    },
  },
  {
    kind: 'cloned-css',
    program: 'Chromium',
    needs: ['chromium'],
    settings: { expected_referrer: 'home.example' },
    logtype: '17025',
    async fire(planted, deps) {
      await atHomeAndAway(planted, deps, css(planted))
      return { referer_host: 'home.example.evil.test', expected_referrer: 'home.example' }
    },
  },
  {
    kind: 'cloud-b-login',
    program: 'Chromium',
    needs: ['chromium'],
    settings: { expected_referrer: 'home.example' },
    logtype: '17026',
    async fire(planted, deps) {
      await atHomeAndAway(planted, deps, css(planted))
      return { referer_host: 'home.example.evil.test' }
    },
  },
]
