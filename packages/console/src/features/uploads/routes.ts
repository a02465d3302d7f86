// 4.8: jobs that bring a zip to a Bird. The zip itself comes to `receive.ts`.
import { uploads } from '@rookery/contract/groups/uploads.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { characters, hex } from '@rookery/kernel/ids.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import { cancelTransfer, deadlineOf } from '../../flows/files/transfers.ts'
import type { Call } from '../../http/call.ts'
import { registeredBird, type BirdRow } from '../../stores/birds/store.ts'
import { checkSize } from '../../stores/birds/settings-size.ts'
import { settingsOf } from '../../stores/birds/settings.ts'
import { transferPasswordPlace } from '../../stores/transfers/rekey.store.ts'
import {
  addTransfer,
  changeTransfer,
  latestTransfer,
  type TransferRow,
} from '../../stores/transfers/store.ts'
import { shareOf } from './share-of-zip.ts'
import { jobView, NO_JOB, type JobView } from './view.ts'

interface UploadDeps extends Pick<AppContext, 'reader' | 'world' | 'vault'> {
  /** Called after the commit: the links of changed Birds read them now. */
  readonly wakeLinks: () => void
}

type UploadKind = 'webroot' | 'share'
type Asked = { readonly node_id: string }

/** Letters and digits that nobody mistakes for each other. */
const PASSWORD_CHARACTERS = 'abcdefghijkmnopqrstuvwxyz23456789'
const PASSWORD_LENGTH = 20

/** What the Bird shows once it has the files; of a share that is known at the end. */
const SETTINGS: Readonly<Record<UploadKind, string>> = {
  webroot: JSON.stringify({ 'http.userwebroot_present': true }),
  share: '{}',
}

export const uploadsRoutes = ({ reader, world, vault, wakeLinks }: UploadDeps): Route<Call>[] => {
  const view = (call: Call, row: TransferRow): JobView =>
    jobView(row, { vault, now: world.clock.now(), call })
  const find = async (call: Call, nodeId: string, kind: UploadKind): Promise<TransferRow | undefined> => {
    await registeredBird(reader, call.caller.scope, nodeId)
    return latestTransfer(reader, nodeId, kind)
  }

  const status =
    (kind: UploadKind) =>
    async ({ node_id }: Asked, call: Call): Promise<JobView> => {
      const row = await find(call, node_id, kind)
      return row ? view(call, row) : NO_JOB
    }

  const start =
    (kind: UploadKind) =>
    async ({ node_id }: Asked, call: Call): Promise<JobView> => {
      const row = await call.change(async (tx) => {
        const bird = await registeredBird(tx.query, call.caller.scope, node_id)
        refuseAway(bird)
        const running = await latestTransfer(tx.query, node_id, kind)
        if (running?.ended_at === null) return running.state === 'cancelling' ? refuseEnding() : running
        return begin(tx, node_id, kind)
      })
      call.note({ job_id: row.job_id })
      wakeLinks()
      return view(call, row)
    }

  function begin(tx: Tx, node_id: string, kind: UploadKind): Promise<TransferRow> {
    const job_id = hex(world.random, 32)
    const now = world.clock.now()
    const password = vault.seal(
      characters(world.random, PASSWORD_CHARACTERS, PASSWORD_LENGTH),
      transferPasswordPlace(job_id),
    )
    const facts = { job_id, node_id, kind, password, settings: SETTINGS[kind] }
    return addTransfer(tx, { ...facts, created_at: now, deadline_at: deadlineOf(kind, now) })
  }

  const cancel =
    (kind: UploadKind) =>
    async ({ node_id }: Asked, call: Call): Promise<JobView> => {
      const row = await call.change(async (tx) => {
        await registeredBird(tx.query, call.caller.scope, node_id)
        const open = await latestTransfer(tx.query, node_id, kind)
        return open?.ended_at === null
          ? cancelTransfer(tx, open, `Cancelled by ${call.caller.keyId}.`, world.clock.now())
          : undefined
      })
      wakeLinks()
      return row ? { ...view(call, row), type: 'RequestCancel' } : NO_JOB
    }

  /** Reads the zip before the change: it may be 32 MiB. */
  async function save({ node_id }: Asked, call: Call): Promise<JobView> {
    const open = await find(call, node_id, 'share')
    if (open?.ended_at !== null)
      throw new Fault('conflict', 'No upload of files is under way: begin with shareupload/start.')
    if (open.state === 'sending') return view(call, open)
    if (open.file_id === '')
      throw new Fault('conflict', 'The zip has not arrived: send it to the URL of the job, then end the job.')
    const share = await shareOf(reader, open)
    const row = await call.change(async (tx) => {
      const bird = await registeredBird(tx.query, call.caller.scope, node_id)
      checkSize('zip', { ...settingsOf(bird), ...share })
      const now = world.clock.now()
      const settings = JSON.stringify(share)
      return changeTransfer(tx, open.job_id, now, {
        state: 'sending',
        settings,
        deadline_at: deadlineOf('share', now),
      })
    })
    if (!row) throw new Fault('conflict', 'The job ended meanwhile.')
    wakeLinks()
    return view(call, row)
  }

  return implement(uploads, {
    webrootStatus: status('webroot'),
    webrootStart: start('webroot'),
    webrootEnd: cancel('webroot'),
    shareStatus: status('share'),
    shareStart: start('share'),
    shareEnd: (asked, call: Call) => (asked.cancel ? cancel('share')(asked, call) : save(asked, call)),
  })
}

function refuseAway({ node_id, live, takes_files, version }: BirdRow): void {
  if (live === 0)
    throw new Fault('conflict', `Bird ${node_id} is offline. Start the upload when it is connected again.`)
  if (takes_files === 0)
    throw new Fault(
      'conflict',
      `Bird ${node_id} runs release ${version}, which takes no files: update it first.`,
    )
}

const refuseEnding = (): never => {
  throw new Fault('conflict', 'The Bird has not confirmed yet that the last upload is cancelled. Try again.')
}
