import { queryOptions } from '@tanstack/react-query'
import { call, type AnswerOf } from '../../api/call.ts'

export type Device = AnswerOf<'birdQueries', 'info'>['device']
export type Schema = AnswerOf<'configuration', 'schema'>['schema']
export type Setting = Schema[string]

/** The Bird with its settings; secrets are masked. */
export const birdQuery = (id: string) =>
  queryOptions({
    queryKey: ['birdQueries', 'info', id],
    queryFn: ({ signal }) => call('birdQueries', 'info', { node_id: id, settings: true }, signal),
    retry: false,
  })

export const schemaQuery = (id?: string) =>
  queryOptions({
    queryKey: ['configuration', 'schema', id],
    queryFn: ({ signal }) => call('configuration', 'schema', id === undefined ? {} : { node_id: id }, signal),
    staleTime: Infinity,
  })

export const bundlesQuery = (id: string) =>
  queryOptions({
    queryKey: ['configuration', 'bundles', id],
    queryFn: ({ signal }) => call('configuration', 'bundles', { node_id: id }, signal),
  })

const ENDED: readonly string[] = ['applied', 'failed', 'rolled back']
export const hasEnded = ({ state }: { readonly state: string }): boolean => ENDED.includes(state)
const POLL_MS = 1_000

/** Asked until it is applied, failed or was rolled back. */
export const bundleQuery = (tag: string) =>
  queryOptions({
    queryKey: ['configuration', 'bundle', tag],
    queryFn: ({ signal }) => call('configuration', 'bundle', { bundle_tag: tag }, signal),
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data.bundle) ? false : POLL_MS),
  })
