// Kinds that are addresses of pages and pictures.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../lib/command.ts'
import { unacknowledged } from '../lib/incidents.ts'
import { openAsApp, openInChromium, serveSite } from '../lib/site.ts'
import { download, PORTS, type TokenProof } from './token-proof.ts'

const TARGET = 'http://target.example/arrived'

export const links: readonly TokenProof[] = [
  {
    kind: 'http',
    program: 'curl',
    needs: ['curl'],
    logtype: '17000',
    async fire({ url }) {
      const { stdout } = await run('curl', ['-s', '-A', 'curious', '-o', '-', url])
      assert.match(stdout, /^GIF89a/)
      return { useragent: 'curious', method: 'GET' }
    },
  },
  {
    kind: 'http',
    program: 'curl by HTTPS',
    needs: ['curl', 'openssl'],
    logtype: '17000',
    async fire({ url }, { console, folder }) {
      const authority = join(folder, 'authority.pem')
      await run('openssl', ['x509', '-in', join(console.dataDir, 'tokens-ca.pem'), '-out', authority])
      const address = `https://127.0.0.1${new URL(url).pathname}`
      const { stdout } = await run('curl', ['-s', '--cacert', authority, '-A', 'careful', '-o', '-', address])
      assert.match(stdout, /^GIF89a/)
      return { useragent: 'careful', method: 'GET', dst_port: PORTS.https }
    },
  },
  {
    kind: 'http',
    program: 'Chromium',
    needs: ['chromium'],
    logtype: '17000',
    async fire({ url }, { folder }) {
      await openInChromium(url, join(folder, 'chromium'))
      return { location: url }
    },
  },
  {
    kind: 'fast-redirect',
    program: 'curl -L',
    needs: ['curl'],
    settings: { browser_redirect_url: TARGET },
    logtype: '17016',
    async fire({ url }) {
      const site = await serveSite('arrived')
      const toSite = ['--connect-to', `target.example:80:127.0.0.1:${site.port}`]
      const { stdout } = await run('curl', ['-s', '-L', ...toSite, '-w', ' %{url_effective}', url])
      site.close()
      assert.equal(stdout, `arrived ${TARGET}`)
      return { method: 'GET' }
    },
  },
  {
    kind: 'slow-redirect',
    program: 'Chromium',
    needs: ['chromium'],
    settings: { browser_redirect_url: TARGET },
    logtype: '17017',
    async fire({ url }, { folder }) {
      await openInChromium(url, join(folder, 'chromium'))
      return { location: url, method: 'GET' }
    },
  },
  {
    kind: 'qr-code',
    program: 'zbarimg, curl',
    needs: ['zbarimg', 'curl'],
    logtype: '17009',
    async fire(planted, deps) {
      const { url } = planted
      const file = await download(planted, deps, 'qr-code.png')
      const { stdout } = await run('zbarimg', ['-q', '--raw', file])
      assert.equal(stdout, `${url}\n`)
      await run('curl', ['-s', '-A', 'camera', stdout.trim()])
      return { useragent: 'camera', method: 'GET' }
    },
  },
  {
    kind: 'web-image',
    program: 'curl',
    needs: ['curl'],
    logtype: '17001',
    uploads(folder) {
      // The header of a PNG of one pixel, and bytes that no program would send by chance.
      const header = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01', 'latin1')
      const picture = join(folder, 'picture.dat')
      writeFileSync(picture, Buffer.concat([header, randomBytes(1024 * 1024)]))
      return { web_image: picture }
    },
    async fire({ url }, { folder }) {
      const got = join(folder, 'got.png')
      const { stdout } = await run('curl', ['-s', '-A', 'viewer', '-o', got, '-w', '%{content_type}', url])
      assert.equal(stdout, 'image/png')
      assert.ok(readFileSync(got).equals(readFileSync(join(folder, 'picture.dat'))), 'not byte for byte')
      return { useragent: 'viewer', method: 'GET' }
    },
  },
  {
    kind: 'pwa',
    program: 'Chromium --app',
    needs: ['chromium', 'timeout'],
    settings: { pwa_app_name: 'Payroll', pwa_icon: 'wallet' },
    logtype: '17028',
    async fire({ id, url }, { console, folder }) {
      const { stdout } = await openInChromium(url, join(folder, 'chromium'))
      assert.match(stdout, /Install this app/)
      const early = (await unacknowledged(console)).filter(({ description }) => description.node_id === id)
      assert.deepEqual(early, [], 'it fired in a tab')
      await openAsApp(url, join(folder, 'chromium-app'), 8)
      return { display_mode: 'standalone', location: url }
    },
  },
]
