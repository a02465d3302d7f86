// A job that brings a zip to a Bird: begun, sent, followed to its end, or cancelled. Another tab may have begun it.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, type AnswerOf } from '../../api/call.ts'
import { sendZip } from '../../api/send-zip.ts'
import { birdQuery } from './queries.ts'
import { uploadWords } from './upload-words.ts'

export type UploadKind = 'webroot' | 'share'
export type Job = AnswerOf<'uploads', 'webrootStatus'>

/**
 * - `none` no job, or one that has ended
 * - `open` it waits for its zip
 * - `arrived` the console has the files of a share, and waits for somebody to save them
 * - `fetching` the Bird gets the zip
 * - `cancelling` the Bird has not confirmed yet that the job is cancelled
 */
export type Stage = 'none' | 'open' | 'arrived' | 'fetching' | 'cancelling'

export function stageOf(kind: UploadKind, { type, size = 0 }: Job): Stage {
  if (type === null || type === 'End') return 'none'
  if (type === 'RequestCancel') return 'cancelling'
  if (type === 'RequestEnd') return 'fetching'
  if (size === 0) return 'open'
  return kind === 'share' ? 'arrived' : 'fetching'
}

const MIB = 1024 * 1024
export const MAX_ZIP_MIB = 32
const POLL_MS = 1_000
/** Without a job: another tab may begin one. */
const IDLE_POLL_MS = 5_000

const OPERATIONS = {
  webroot: { status: 'webrootStatus', start: 'webrootStart' },
  share: { status: 'shareStatus', start: 'shareStart' },
} as const

const uploadQuery = (kind: UploadKind, id: string) =>
  queryOptions({
    queryKey: ['uploads', kind, id],
    queryFn: ({ signal }) => call('uploads', OPERATIONS[kind].status, { node_id: id }, signal),
    refetchInterval: ({ state }) =>
      state.data && stageOf(kind, state.data) !== 'none' ? POLL_MS : IDLE_POLL_MS,
  })

/** Why the console would not take the file; undefined if it may. Whether it is a good zip, the Bird says. */
export async function wrongWith(file: File): Promise<string | undefined> {
  if (file.size > MAX_ZIP_MIB * MIB) return uploadWords.tooLarge(file.size / MIB)
  const start = new TextDecoder('latin1').decode(await file.slice(0, 2).arrayBuffer())
  return start === 'PK' ? undefined : uploadWords.noZip
}

export function useUpload(kind: UploadKind, id: string) {
  const queries = useQueryClient()
  const query = uploadQuery(kind, id)
  const { data: job, error, refetch } = useQuery(query)
  const [problem, setProblem] = useState<unknown>()
  const [wrong, setWrong] = useState<string | undefined>()
  /** What this page is sending: how much of it has gone. */
  const [sending, setSending] = useState<{ readonly sent: number; readonly size: number } | undefined>()
  const stop = useRef<AbortController | undefined>(undefined)

  async function act(work: () => Promise<unknown>): Promise<void> {
    setProblem(undefined)
    setWrong(undefined)
    try {
      await work()
    } catch (failed) {
      setProblem(failed)
    }
    await refetch()
  }
  const send = (file: File) =>
    act(async () => {
      const said = await wrongWith(file)
      setWrong(said)
      if (said !== undefined) return
      const { signal } = (stop.current = new AbortController())
      const begun = await call('uploads', OPERATIONS[kind].start, { node_id: id })
      queries.setQueryData(query.queryKey, begun)
      setSending({ sent: 0, size: file.size })
      try {
        await sendZip(begun, file, { onProgress: (sent) => setSending({ sent, size: file.size }), signal })
      } catch (failed) {
        if (!signal.aborted) throw failed
      } finally {
        setSending(undefined)
      }
    })
  const cancel = () =>
    act(() => {
      stop.current?.abort()
      return kind === 'webroot'
        ? call('uploads', 'webrootEnd', { node_id: id })
        : call('uploads', 'shareEnd', { node_id: id, cancel: true })
    })
  const save = () =>
    act(async () => {
      await call('uploads', 'shareEnd', { node_id: id })
      // The share is a setting.
      void queries.invalidateQueries({ queryKey: birdQuery(id).queryKey })
    })
  return { job, error, refetch, problem, wrong, sending, send, cancel, save }
}
