// What `rookery doctor` examines: each finding says what is well, or what is wrong and how to repair it.
import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { countWaiting } from '@rookery/spool/waiting-events.ts'
import type { Config } from '../config/config.ts'
import type { DataFolder } from '../data-folder.ts'
import { examineChannels } from './examine-channels.ts'
import { examineDisk } from './examine-disk.ts'
import { examineRetention } from './examine-retention.ts'
import type { Finding } from './finding.ts'
import { examineTokens } from './examine-tokens.ts'
import { describeTornLog, findTornLog, tornLogOf } from '../db/sqlite/torn-log.ts'
import { schemaDifference } from '../db/migrate.ts'
import { migrations } from '../db/migrations.gen.ts'
import { exposedFiles } from '../file-modes.ts'
import { isOwnAddress } from '../addresses/own-address.ts'
import type { OpenContext } from '../open-context.ts'
import { type NotedEnd, verifyAudit } from '../stores/audit/verify.ts'
import { readChannels } from '../stores/channels/store.ts'
import { channelViews } from '../views/tokens/channels.ts'
import { providerStatuses } from '../flows/providers/registry.ts'
import { providerViews } from '../views/tokens/providers.ts'
import { birdsWithOtherStack } from '../stores/birds/ip-stack.store.ts'
import { birdsOnLoopback } from '../stores/birds/reach.store.ts'
import { birdsWithSensors, type SensorReport } from '../stores/birds/sensors.store.ts'
import { failingBirds } from '../stores/birds/not-standing.store.ts'
import { settingsFailure } from '../views/birds/settings-failure.ts'

/** Findings on files; needs no database. */
export function examineFolder(folder: DataFolder, config: Config): Finding[] {
  const findings: Finding[] = [examineDisk(folder)]
  const exposed = exposedFiles(folder)
  for (const { path, mode, privateMode } of exposed)
    findings.push({
      ok: false,
      about: 'files',
      text: `${path} has mode ${mode}: others may read it: chmod ${privateMode}`,
    })
  if (exposed.length === 0)
    findings.push({ ok: true, about: 'files', text: `only its owner may read ${folder.path}` })
  findings.push(examineTouches(folder.touches))
  if (config.ROOKERY_DATABASE_URL === '' && existsSync(folder.database)) {
    findings.push(
      existsSync(folder.reserve)
        ? {
            ok: true,
            about: 'reserve',
            text: `${folder.reserve} keeps 16 MiB for the time when the disk is full`,
          }
        : {
            ok: false,
            about: 'reserve',
            text: `${folder.reserve} is missing: the disk is full, or was; the console makes it again once there is room`,
          },
    )
    findings.push(...examineLog(folder.database), examineSqlite(folder.database))
  }
  return findings
}

function examineTouches(path: string): Finding {
  try {
    const waiting = countWaiting(path)
    return finding(
      waiting === 0,
      'touches',
      `${waiting} touches of tokens wait in ${path}`,
      'a console delivers them once its database answers; for one that is gone, run `rookery spool deliver`',
    )
  } catch (error) {
    return { ok: false, about: 'touches', text: `${path} cannot be read: ${(error as Error).message}` }
  }
}

/** Before anything opens the database: SQLite drops what a damaged log has lost. */
function examineLog(path: string): Finding[] {
  const torn = findTornLog(path)
  if (torn) return [{ ok: false, about: 'log', text: describeTornLog(path, torn) }]
  const kept = tornLogOf(path)
  if (!existsSync(kept)) return []
  const when = statSync(kept).mtime.toISOString()
  const text = `a damaged log was found at a start, and committed transactions were lost: its copy ${kept} is of ${when}; check the disk, restore a backup if what is missing matters, then delete the copy`
  return [{ ok: false, about: 'log', text }]
}

function examineSqlite(path: string): Finding {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
    const [first] = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[]
    const result = first?.quick_check ?? 'no answer'
    return finding(
      result === 'ok',
      'database',
      `${path} is ${result === 'ok' ? 'whole' : 'damaged'}`,
      `${result}: restore a backup`,
    )
  } catch (error) {
    const text = `${path} is damaged: ${(error as Error).message}: restore a backup`
    return { ok: false, about: 'database', text }
  } finally {
    database?.close()
  }
}

export interface Examination {
  readonly auditHead?: NotedEnd | undefined
  /** Says which providers are configured. */
  readonly config?: Config
}

/**
 * Findings on a database that opened: its schema is this release's, its master key fits, its audit trail is whole;
 * what its Birds last reported of their decoys, sensors and IP stack; whether the channels of its tokens can be reached, and which old
 * tokens nobody may have met; whether the providers of its tokens report; and what the retention would remove.
 */
export async function examineBase(
  base: OpenContext,
  { auditHead, config }: Examination = {},
): Promise<Finding[]> {
  const difference = await schemaDifference(base.engine, migrations)
  const secrets: Finding = { ok: true, about: 'secrets', text: `sealed under master key ${base.vault.keyId}` }
  // The queries of this release fit its own schema alone.
  if (difference !== undefined) return [{ ok: false, about: 'schema', text: difference }, secrets]
  const total = Object.keys(migrations).length
  return [
    { ok: true, about: 'schema', text: `${total} of ${total} migrations applied` },
    secrets,
    await examineAudit(base, auditHead),
    ...(await examineBirds(base)),
    ...(await examineSensors(base)),
    ...(await examineIpStacks(base)),
    ...(await examineReach(base)),
    ...(await examineChannels(base)),
    ...(config ? await examineProviders(base, config) : []),
    await examineRetention(base),
    ...(await examineTokens(base, channelViews(await readChannels(base.reader)))),
  ]
}

/** A provider is wrong where tokens need it: it is not configured, its events cannot be read, or it does not end what it should. */
async function examineProviders({ reader }: OpenContext, config: Config): Promise<Finding[]> {
  const registry = { statuses: providerStatuses(config) }
  const views = await providerViews(reader, { registry, feedUrl: () => '' })
  return views.map(({ provider, configured, missing, kinds, tokens, revoking, last_feed_std, error }) => {
    const facts = [
      configured ? 'configured' : `not configured: ${missing.join(', ')} not set`,
      `for the kinds ${kinds.join(', ')}; ${tokens} ${tokens === 1 ? 'token uses' : 'tokens use'} it`,
      last_feed_std === '' ? 'has reported nothing yet' : `last reported ${last_feed_std}`,
      ...(revoking === 0 ? [] : [`${revoking} of deleted tokens to revoke`]),
      ...(error === '' ? [] : [error]),
    ]
    const isNeeded = tokens + revoking > 0
    const isWrong = isNeeded && (!configured || error !== '')
    return { ok: !isWrong, about: 'provider', text: `${provider}: ${facts.join('; ')}` }
  })
}

async function examineAudit({ reader, vault }: OpenContext, noted?: NotedEnd): Promise<Finding> {
  const { rows, failure, head } = await verifyAudit(reader, vault, noted)
  return failure === undefined
    ? { ok: true, about: 'audit trail', text: `${rows} ${rows === 1 ? 'row' : 'rows'}; it ends at ${head}` }
    : { ok: false, about: 'audit trail', text: `${failure}; sound up to row ${rows}` }
}

/** Birds with a failure that are named; the rest is counted as more. */
const NAMED_BIRDS = 20

async function examineBirds({ reader }: OpenContext): Promise<Finding[]> {
  const failing = await failingBirds(reader, NAMED_BIRDS + 1)
  if (failing.length === 0)
    return [{ ok: true, about: 'decoys', text: 'the settings of every Bird are in force, as last reported' }]
  const findings = failing.slice(0, NAMED_BIRDS).map((bird): Finding => {
    const text = `Bird ${bird.name} (${bird.node_id}): ${settingsFailure(bird)}`
    return { ok: false, about: 'decoys', text }
  })
  const isMore = failing.length > NAMED_BIRDS
  return isMore ? [...findings, { ok: false, about: 'decoys', text: 'more Birds have failures' }] : findings
}

const WAYS: Readonly<Record<SensorReport['way'], string>> = {
  packets: 'reads packets',
  connections: 'sees connections to decoys alone',
}

/** Nothing is wrong with a Bird that has no packets: it notices less. */
async function examineSensors({ reader }: OpenContext): Promise<Finding[]> {
  const birds = await birdsWithSensors(reader, NAMED_BIRDS + 1)
  const findings = birds.slice(0, NAMED_BIRDS).flatMap((bird) =>
    bird.sensors.map(({ instance, way, reason }): Finding => {
      const text = `Bird ${bird.name} (${bird.node_id}): ${instance} ${WAYS[way]}`
      return { ok: true, about: 'sensors', text: reason === '' ? text : `${text}: ${reason}` }
    }),
  )
  const isMore = birds.length > NAMED_BIRDS
  return isMore ? [...findings, { ok: true, about: 'sensors', text: 'more Birds have sensors' }] : findings
}

/** Nothing when every stack is as its Bird was meant to set it. */
async function examineIpStacks({ reader }: OpenContext): Promise<Finding[]> {
  const birds = await birdsWithOtherStack(reader, NAMED_BIRDS + 1)
  const findings = birds.slice(0, NAMED_BIRDS).map(({ name, node_id, ip_stack }): Finding => {
    return { ok: false, about: 'IP stack', text: `Bird ${name} (${node_id}): ${ip_stack}` }
  })
  const isMore = birds.length > NAMED_BIRDS
  return isMore ? [...findings, { ok: false, about: 'IP stack', text: 'more Birds have another' }] : findings
}

const ON_LOOPBACK =
  'its decoys listen on loopback, so nobody but its own machine can touch them: start it with --bind 0.0.0.0 (ROOKERY_BIRD_BIND) for your network'

/** Wrong for a Bird on another machine; that of `rookery up` listens on loopback by default. */
async function examineReach({ reader }: OpenContext): Promise<Finding[]> {
  const birds = await birdsOnLoopback(reader, NAMED_BIRDS + 1)
  const findings = birds.slice(0, NAMED_BIRDS).map(({ name, node_id, public_ip }): Finding => {
    return { ok: isOwnAddress(public_ip), about: 'reach', text: `Bird ${name} (${node_id}): ${ON_LOOPBACK}` }
  })
  const isMore = birds.length > NAMED_BIRDS
  return isMore
    ? [...findings, { ok: true, about: 'reach', text: 'more Birds listen on loopback' }]
    : findings
}

const finding = (ok: boolean, about: string, text: string, otherwise: string): Finding => ({
  ok,
  about,
  text: ok ? text : `${text}: ${otherwise}`,
})
