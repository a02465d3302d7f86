// A web site and a share for a Bird's decoys: drop a zip, see it arrive, and what the Bird said of it.
import { useId, useState, type DragEvent } from 'react'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import css from './bird.module.css'
import type { Device } from './queries.ts'
import { uploadWords as said } from './upload-words.ts'
import { MAX_ZIP_MIB, stageOf, useUpload, type Job, type UploadKind } from './use-upload.ts'

export function Files({ device: { node_id, flock_id, live } }: { readonly device: Device }) {
  const mayNot = useWhyNot('uploads', 'webrootStart', [flock_id])
  if (mayNot !== undefined) return <p className={css['quiet']}>{mayNot}</p>
  const isOffline = live === 'False'
  return (
    <div className={css['columns']}>
      <Upload kind="webroot" id={node_id} isOffline={isOffline} />
      <Upload kind="share" id={node_id} isOffline={isOffline} />
    </div>
  )
}

interface UploadProps {
  readonly kind: UploadKind
  readonly id: string
  readonly isOffline: boolean
}

function Upload({ kind, id, isOffline }: UploadProps) {
  const it = useUpload(kind, id)
  const { job, sending } = it
  const { title, lead } = said.kinds[kind]
  const stage = job && stageOf(kind, job)
  const isTaking = sending === undefined && (stage === 'none' || stage === 'open')
  return (
    <section className={css['part']} aria-label={title}>
      <h2>{title}</h2>
      <p className={css['quiet']}>{lead}</p>
      {it.error && <ProblemBox error={it.error} onRetry={() => void it.refetch()} />}
      {it.problem !== undefined && <ProblemBox error={it.problem} />}
      {!job && !it.error && <Loading rows={2} />}
      <div role="status" className={css['part']}>
        {sending && <Bar label={said.sending} done={sending.sent} all={sending.size} />}
        {job && !sending && <Progress kind={kind} job={job} />}
      </div>
      {isTaking &&
        (isOffline ? <p>{said.offline}</p> : <Drop wrong={it.wrong} onFile={(file) => void it.send(file)} />)}
      {(sending || (stage !== undefined && stage !== 'none' && stage !== 'cancelling')) && (
        <p className={css['bar']}>
          {stage === 'arrived' && (
            <Button look="primary" onClick={() => void it.save()}>
              {said.save}
            </Button>
          )}
          <Button look="danger" onClick={() => void it.cancel()}>
            {said.cancel}
          </Button>
        </p>
      )}
    </section>
  )
}

function Progress({ kind, job }: { readonly kind: UploadKind; readonly job: Job }) {
  const { outcome, reason = '', bytes_copied = 0, size = 0 } = job
  switch (stageOf(kind, job)) {
    case 'open':
      return <p>{said.open}</p>
    case 'arrived':
      return <p>{said.arrived}</p>
    case 'fetching':
      return <Bar label={said.fetching} done={bytes_copied} all={size} />
    case 'cancelling':
      return <p>{said.cancelling}</p>
    case 'none':
      if (!outcome) return null
      return (
        <p className={css['follow']} data-state={outcome}>
          <strong>{outcome === 'applied' ? said.applied[kind] : said.failed}</strong>{' '}
          {reason !== '' && <Evidence text={reason} canUnfold />}
        </p>
      )
  }
}

interface BarProps {
  readonly label: string
  readonly done: number
  readonly all: number
}

const Bar = ({ label, done, all }: BarProps) => (
  <p>
    {label} … {said.percent(done, all)}
    <progress className={css['progress']} aria-label={label} max={all} value={done} />
  </p>
)

interface DropProps {
  readonly wrong: string | undefined
  readonly onFile: (file: File) => void
}

/** Takes one file: dropped, or chosen. */
function Drop({ wrong, onFile }: DropProps) {
  const id = useId()
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <div
      className={css['drop']}
      data-over={isOver || undefined}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const file = event.dataTransfer.files[0]
        if (file) onFile(file)
      }}
    >
      <label htmlFor={id}>{said.choose}</label>
      <p className={css['quiet']} id={`${id}-help`}>
        {said.drop(MAX_ZIP_MIB)}
      </p>
      <input
        id={id}
        type="file"
        accept=".zip,application/zip"
        className={css['input']}
        aria-describedby={wrong === undefined ? `${id}-help` : `${id}-help ${id}-wrong`}
        aria-invalid={wrong === undefined ? undefined : true}
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file) onFile(file)
          // The same file again, corrected, is another change.
          target.value = ''
        }}
      />
      {wrong !== undefined && (
        <p role="alert" id={`${id}-wrong`} className={css['error']}>
          {wrong}
        </p>
      )}
    </div>
  )
}
