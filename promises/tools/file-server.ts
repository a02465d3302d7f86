// The file server of the reference, by its own commands: two folders of files, a document opened, three incidents within a
// second; and the Bird is renamed meanwhile, of which an intruder notices nothing.
import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodePath, root } from '../../tools/clone.mjs'
import { ADMIN } from '../rig/scenes/console.ts'
import { run } from './lib/command.ts'
import { incidentWith } from './lib/incidents.ts'
import { listens } from './lib/listens.ts'
import { HOST, startProduct, type Product } from './lib/product.ts'
import { missingForSmbnetfs, mountShares } from './lib/smbnetfs.ts'
import type { Proof } from './lib/proof.ts'

const PAGE = join(root, 'docs/reference/decoys.md')
const SECTION = /^## A Windows file server, step by step$([^]*?)^## /m
const SOON_MS = 1_000

/** The commands of the section, in order. */
function commands(): readonly string[] {
  const [, section = ''] = SECTION.exec(readFileSync(PAGE, 'utf8')) ?? []
  return [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, command = '']) => command.trim())
}

/** A shell in which `rookery` is the bundled command, and the example's Bird and address are those of this product. */
function shell(folder: string, { console, nodeId }: Product) {
  const program = `#!/bin/sh\nexec '${nodePath()}' --disable-warning=ExperimentalWarning '${join(root, '.build/rookery.mjs')}' "$@"\n`
  writeFileSync(join(folder, 'rookery'), program, { mode: 0o755 })
  const env = {
    PATH: `${folder}:${process.env['PATH']}`,
    HOME: folder,
    ROOKERY_DATA_DIR: console.dataDir,
    ROOKERY_LISTEN: `127.0.0.1:${console.port}`,
    ROOKERY_API_KEY: ADMIN,
  }
  return (command: string) =>
    run('sh', ['-c', command.replaceAll('3f1c9a5e7b2d4860', nodeId).replaceAll('192.0.2.10', HOST)], {
      cwd: folder,
      env,
      patienceMs: 60_000,
    })
}

/** Lines that intruders' tools print of the machine, but for times; nmap's scripts end in any order. */
async function face(): Promise<string> {
  const rows: readonly (readonly [string, ...string[]])[] = [
    ['smbclient', '-L', `//${HOST}`, '-U', 'guest%'],
    ['rpcclient', HOST, '-U', '%', '-N', '-c', 'srvinfo; lsaquery'],
    ['nbtscan', '-v', HOST],
    ['nmap', '-Pn', '-n', '-sV', '-sC', '-p', '139,445', HOST],
  ]
  const said: string[] = []
  for (const [program, ...args] of rows) said.push((await run(program, args, { patienceMs: 120_000 })).stdout)
  return said
    .join('\n')
    .replace(/^(Starting Nmap|Nmap done|Host is up|Doing NBT).*$/gm, '')
    .replace(/\d{4}-\d\d-\d\dT[\d:]+/g, '(time)')
    .replace(/clock-skew: .*/g, '(skew)')
    .replace(/^\|_/gm, '| ')
    .split('\n')
    .sort()
    .join('\n')
}

async function rename({ console, nodeId }: Product, name: string): Promise<void> {
  const { json } = await console.get('/device/info', {
    node_id: nodeId,
    settings: true,
    exclude_fixed_settings: true,
  })
  const { settings } = json['device'] as { readonly settings: Readonly<Record<string, unknown>> }
  const changed = JSON.stringify({ ...settings, 'device.name': name, 'device.desc': 'a decoy' })
  const { status, text } = await console.post('/device/configure', { node_id: nodeId, settings: changed })
  assert.equal(status, 200, text)
  const { bundle_tag } = JSON.parse(text) as { readonly bundle_tag: string }
  for (let state = ''; state !== 'applied';) {
    const answer = await console.get('/bundle/info', { bundle_tag })
    state = (answer.json['bundle'] as { readonly state: string }).state
  }
}

const proof: Proof = {
  title: 'the file server of the reference: made, opened and reported as written, and no rename is seen',
  packages: ['smbclient', 'nmap', 'nbtscan', 'cifs-utils', 'smbnetfs'],
  needs: ['smbclient', 'rpcclient', 'nmap', 'nbtscan', 'smbnetfs'],
  isIsolated: true,
  limitMs: 400_000,
  async prove({ folder, say, skip }) {
    const product = await startProduct(folder, { ROOKERY_BIRD_PORT_OFFSET: '0' })
    const sh = shell(folder, product)
    const [configure = '', open = '', mount = '', list = ''] = commands()
    const configured = await sh(configure)
    assert.equal(configured.code, 0, configured.stderr)
    await listens(445)
    say(configure.split(' --additional_settings')[0]!.replace(/\s*\\\n?\s*$/, ''))

    const before = await face()
    await rename(product, 'HQ decoy 7')
    assert.equal(await face(), before)
    assert.doesNotMatch(before, /HQ|decoy|linux|debian/i)
    say(`renamed: smbclient, rpcclient, nbtscan and nmap print the same ${before.split('\n').length} lines`)

    const opened = await sh(open)
    const closedAt = performance.now()
    assert.match(opened.stdout, /Finance +D[^]*Projects +D/, opened.stderr)
    const size = statSync(join(folder, 'Budget 2026.xlsx')).size
    for (const [logtype, fields] of [
      ['5010', { USER: 'eve', LOGINTYPE: 'NTLMv2' }],
      ['5014', { USER: 'eve', SHARENAME: 'Documents' }],
      ['5000', { USER: 'eve', FILENAME: 'Finance/Budget 2026.xlsx', AUDITACTION: 'read' }],
    ] as const) {
      const { description } = await incidentWith(product.console, logtype, fields, product.nodeId, SOON_MS)
      assert.equal(description.src_host, HOST)
    }
    say(
      `opened ${size} bytes: 5010, 5014 and 5000 in the list ${Math.round(performance.now() - closedAt)} ms later`,
    )
    const listed = await sh(list)
    for (const logtype of ['5010', '5014', '5000']) assert.match(listed.stdout, new RegExp(logtype))

    const hasCifs = /\bcifs\b/.test(readFileSync('/proc/filesystems', 'utf8'))
    if (hasCifs) {
      const mounted = await sh(
        `${mount} && ls /mnt && cat '/mnt/Finance/Budget 2026.xlsx' | wc -c; umount /mnt`,
      )
      assert.match(mounted.stdout, new RegExp(`Finance[^]*${size}`), mounted.stderr)
      say('mounted by the kernel, and read')
    } else if (missingForSmbnetfs()) skip(`the kernel has no cifs, and ${missingForSmbnetfs()}: ${mount}`)
    else {
      await using shares = await mountShares({ host: HOST, user: 'eve', password: 'secret' }, folder)
      const document = join(shares.folder, 'Documents/Finance/Budget 2026.xlsx')
      const copied = join(folder, 'mounted.xlsx')
      assert.equal((await run('cp', [document, copied])).code, 0)
      assert.deepEqual(readFileSync(copied), readFileSync(join(folder, 'Budget 2026.xlsx')))
      say('mounted by smbnetfs, since the kernel has no cifs, and the same document read')
    }
    await product.console.stop()
  },
}

export default proof
