// `rookery doctor`: examines an installation, also while it is serving, and prints each finding.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { openDataFolder } from '@rookery/console/data-folder.ts'
import {
  examineCertificates,
  examineConsoleCertificates,
  examineOrdered,
} from '@rookery/console/maintenance/examine-certificates.ts'
import { examineIpFacts } from '@rookery/console/maintenance/examine-ip-facts.ts'
import { examineBase, examineFolder } from '@rookery/console/maintenance/doctor.ts'
import { examineTaskReport } from '@rookery/console/maintenance/task-report.ts'
import type { Finding } from '@rookery/console/maintenance/finding.ts'
import { readNotedEnd } from '@rookery/console/stores/audit/verify.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { systemClock } from '@rookery/console/world/system.ts'
import { explain } from '../explain.ts'
import { addOptions, configOf } from '../flags.ts'
import { runOffline } from './offline.ts'

export function addDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description(
      'examine the data directory, the database, the audit trail, certificates, files of addresses and the background work of a console that runs; each finding is ok or WRONG, and one that is WRONG makes the exit code 1',
    )
  command.option(
    '--audit-head <n:mac>',
    'an end of the audit trail that doctor printed earlier; it must still be in the trail',
  )
  addOptions(command).action(async (flags: Record<string, unknown>) => {
    const config = configOf(flags)
    const auditHead = flags['auditHead'] === undefined ? undefined : readNotedEnd(String(flags['auditHead']))
    const dataDir = resolve(config.ROOKERY_DATA_DIR)
    if (!existsSync(dataDir))
      throw new Fault(
        'not-found',
        `There is no data directory at ${dataDir}. Name that of a console with --data-dir, or start one: it makes it.`,
      )
    const folder = openDataFolder(dataDir)
    const findings = [
      ...examineFolder(folder, config),
      ...examineCertificates(folder, config, systemClock.now()),
      ...examineConsoleCertificates(config, systemClock.now()),
      ...(await examineIpFacts(config)),
      ...examineTaskReport(folder.tasks, systemClock.now()),
    ]
    if (config.ROOKERY_DATABASE_URL !== '' || existsSync(folder.database)) {
      const examining = runOffline(
        config,
        async (base) => [
          ...(await examineOrdered(base, config, systemClock.now())),
          ...(await examineBase(base, { auditHead, config })),
        ],
        'examination',
      )
      findings.push(...(await examining.catch(asFinding)))
    } else
      findings.push({
        ok: false,
        about: 'database',
        text: `there is none at ${folder.database}: \`rookery up\` makes it`,
      })
    for (const { ok, about, text } of findings)
      process.stdout.write(`${ok ? 'ok   ' : 'WRONG'} ${about.padEnd(11)} ${text}\n`)
    process.exitCode = findings.every(({ ok }) => ok) ? 0 : 1
  })
}

const asFinding = (error: unknown): Finding[] => [{ ok: false, about: 'database', text: explain(error) }]
