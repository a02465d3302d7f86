import { atLeast, atMost, exactly, type Case } from '../../bench/case.ts'
import { scaleNote, sized } from '../../bench/lib/scale.ts'
import { abuse } from '../lib/abuse.ts'
import { openDice } from '../lib/dice.ts'
import { readMutatedDatabases } from '../lib/mutated-databases.ts'
import { LOGIN_PROTOCOLS, readMutated } from '../lib/mutated-logins.ts'

const GROWTH_MB = 32
/** Four addresses, each of at most 4,096 values and some steps through the tree. */
const MOST_READS = 50_000

const malformed: Case = {
  id: 'G5',
  title:
    '100,000 malformed requests made from the contract, garbage at the link and at each port of every decoy, within TLS too, 1,000,000 mutated WireGuard messages, logins of MySQL and PostgreSQL, and databases of addresses',
  async run() {
    const dice = openDice()
    const abused = await abuse({
      requests: sized(100_000, 1_000),
      dice,
      onTenth: (done) => process.stderr.write(`  ${done} of 10 tenths\n`),
    })
    const failed = [...abused.statuses].filter(([status]) => status >= 500).reduce((sum, [, n]) => sum + n, 0)
    const logins = LOGIN_PROTOCOLS.map((name) => ({
      name,
      ...readMutated(name, sized(1_000_000, 10_000), dice),
    }))
    const geography = readMutatedDatabases(sized(1_000_000, 10_000), dice)
    const found = [...abused.failures, ...logins.flatMap(({ failures }) => failures), ...geography.failures]
    for (const failure of found) process.stderr.write(`  ${failure}\n`)
    if (abused.logged !== '') process.stderr.write(`${abused.logged}\n`)
    const statuses = [...abused.statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`)
    return {
      ok: abused.logged === '' && (abused.statuses.get(400) ?? 0) > 0 && (abused.statuses.get(200) ?? 0) > 0,
      rows: [
        exactly('answers 5xx', failed, '', 0),
        exactly('crashes', abused.crashes, '', 0),
        atMost(
          'growth after the first tenth',
          (abused.residentMb.at(-1) ?? NaN) - (abused.residentMb[0] ?? NaN),
          'MB',
          GROWTH_MB,
        ),
        atLeast('requests', abused.requests, '', sized(100_000, 1_000)),
        atLeast('mutated WireGuard messages', abused.datagrams, '', sized(1_000_000, 10_000)),
        ...logins.flatMap(({ name, packets, failed }) => [
          exactly(`mutated logins of ${name} that broke the codec`, failed, '', 0),
          atLeast(`mutated logins of ${name}`, packets, '', sized(1_000_000, 10_000)),
        ]),
        exactly('mutated databases of addresses that broke their reader', geography.failed, '', 0),
        atLeast('mutated databases of addresses', geography.databases, '', sized(1_000_000, 10_000)),
        atMost('reads of one of them', geography.mostReads, '', MOST_READS),
        atLeast('decoy ports with garbage within TLS', abused.tlsPorts, '', 1),
        atLeast('sessions of garbage at the link and the decoys', abused.sessions, '', abused.requests / 50),
      ],
      note: `seed ${dice.seed}; MB after each tenth: ${abused.residentMb.map(Math.round).join(', ')}, of which heap ${abused.heapMb.map(Math.round).join(', ')}; answers ${statuses.join(', ')}${scaleNote}`,
    }
  },
}
export default malformed
