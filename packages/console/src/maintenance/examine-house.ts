// What people see of `rookery doctor` in the page: what stops the console some day, what it does no more, and what clients refuse.
import type { Config } from '../config/config.ts'
import type { DataFolder } from '../data-folder.ts'
import type { OpenContext } from '../open-context.ts'
import { examineCertificates, examineConsoleCertificates, examineOrdered } from './examine-certificates.ts'
import { examineDisk } from './examine-disk.ts'
import { examineTasks } from './examine-tasks.ts'
import type { Finding } from './finding.ts'

export async function examineHouse(
  base: OpenContext,
  config: Config,
  folder: DataFolder,
): Promise<Finding[]> {
  const now = base.world.clock.now()
  return [
    examineDisk(folder),
    ...examineTasks(base.background.statuses(), now),
    ...examineConsoleCertificates(config, now),
    ...examineCertificates(folder, config, now),
    ...(await examineOrdered(base, config, now)),
  ]
}
