import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { MysqlVisit } from '../../channels/mysql/visit.ts'
import { forgeFile } from '../../../test/forge-file.ts'
import forge from './forge.ts'
import { replicaOf, replicaStatements } from './replica.ts'
import dump from './token.ts'

const ID = 'abcdefghijklmnopqrstuvwxy'
const address = {
  tokenId: ID,
  url: `http://t.example/${ID}/x`,
  hostname: `${ID}.t.example`,
  mysql: { host: `${ID}.t.example`, port: 3_307 },
}
const login = (user: string, more: Partial<MysqlVisit> = {}): MysqlVisit => ({
  channel: 'mysql',
  user,
  database: '',
  hasPassword: true,
  clientVersion: '',
  os: '',
  program: '',
  srcHost: '192.0.2.7',
  dstPort: 3_307,
  headers: {},
  ...more,
})
const textOf = async (given = address) =>
  gunzipSync((await forgeFile(forge, { address: given })).bytes).toString()

/** The inserted rows, by table. */
function rowsIn(text: string): Map<string, number> {
  const tables = text.matchAll(/^INSERT INTO `(\w+)` VALUES\n((?:\(.*\)[,;]\n)+)/gm)
  const counts = new Map<string, number>()
  for (const [, table = '', rows = ''] of tables)
    counts.set(table, (counts.get(table) ?? 0) + rows.trimEnd().split('\n').length)
  return counts
}

describe('the dbdump kind', () => {
  it('makes a compressed dump: the same each time, another for another token', async () => {
    const first = await forgeFile(forge, { address })
    expect(first.filename).toMatch(/^\w+-\d{4}-\d\d-\d\d\.sql\.gz$/)
    expect(await forgeFile(forge, { address })).toEqual(first)
    const other = await forgeFile(forge, { address: { ...address, tokenId: 'other' } })
    expect(Buffer.from(other.bytes).equals(first.bytes)).toBe(false)
    expect([...first.bytes.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
  })

  it('has tables with rows, each id once, and ends in the statements that make a replica', async () => {
    const text = await textOf()
    const counts = rowsIn(text)
    expect([...counts.keys()]).toEqual(['customers', 'orders', 'settings', 'users'])
    for (const [table, count] of counts) {
      expect(text).toContain(`\`${table}\` WRITE;`)
      expect(count, table).toBeGreaterThan(6)
    }
    expect(text.indexOf('INSERT INTO `users`')).toBeLessThan(text.indexOf('PREPARE source'))
    expect(text).toContain(replicaStatements(address).join('\n'))
    expect(text).toMatch(/\n-- Dump completed on \d{4}-\d\d-\d\d [ \d]\d:\d\d:\d\d\n$/)
  })

  it('holds no row that is newer than the dump, which no version could have written before its release', async () => {
    const releasedOn = '2024-02-10'
    for (const tokenId of Array.from({ length: 12 }, (_, n) => `token${n}`)) {
      const text = await textOf({ ...address, tokenId })
      expect(text).toContain('-- Server version\t10.11.6-MariaDB-0+deb12u1\n')
      const [, dumpedOn = ''] = /Dump completed on (\S+)/.exec(text) ?? []
      expect(dumpedOn > releasedOn, dumpedOn).toBe(true)
      const moments = [...text.matchAll(/'(\d{4}-\d\d-\d\d) [\d:]{8}'/g)].map(([, day = '']) => day)
      expect(moments.length).toBeGreaterThan(400)
      expect(moments.filter((day) => day >= dumpedOn)).toEqual([])
    }
  })

  it('names where the token logs in, in both dialects; its host name where the channel is switched off', () => {
    const { statements = '' } = dump.renders(address, {})
    for (const prefix of ['MASTER', 'SOURCE'])
      expect(statements).toContain(`${prefix}_HOST=''${address.hostname}'', ${prefix}_PORT=3307,`)
    const { mysql: _, ...off } = address
    expect(dump.renders(off, {})['statements']).toContain(
      `MASTER_HOST=''${address.hostname}'', MASTER_PORT=3306,`,
    )
    const elsewhere = { ...address, mysql: { host: '2001:db8::1', port: 1 } }
    expect(dump.renders(elsewhere, {})['statements']).toContain("SOURCE_HOST=''2001:db8::1'', SOURCE_PORT=1,")
  })

  it('shows the server that restored it, out of the user name', () => {
    const user = `${ID}.de_DE.db1.corp.example`
    const described = dump.on.mysql?.describe?.(
      login(user, { clientVersion: '10.11.14', os: 'Linux' }),
      {},
      0,
    )
    expect(described).toEqual({
      username: user,
      locale: 'de_DE',
      hostname: 'db1.corp.example',
      client_version: '10.11.14',
      os: 'Linux',
    })
    expect(dump.on.mysql?.describe?.(login(ID), {}, 0)).toEqual({ username: ID })
    expect(dump.on.mysql?.judge).toBeUndefined()
    for (const other of ['', ID, `${ID}.`, `${ID}..x`, `x.de_DE.db1`])
      expect(replicaOf(other)).toBeUndefined()
  })

  it('fires by its look-up alone', () => {
    const visit = {
      channel: 'dns',
      qname: address.hostname,
      qtype: 'A',
      labels: [],
      network: '192.0.2.0/24',
      isNx: false,
      srcHost: '192.0.2.7',
      dstPort: 53,
      headers: {},
    } as const
    expect(dump.on.dns?.judge).toBeUndefined()
    expect(dump.on.dns?.describe?.(visit, {}, 0)).toMatchObject({ qname: address.hostname })
  })
})
