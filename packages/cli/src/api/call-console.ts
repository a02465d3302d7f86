// Calls an operation of a console over the SDK.
import { ApiError } from '@rookery/sdk/api-error.ts'
import { openClient } from '@rookery/sdk/client.ts'
import { callOperation, type ListedOperation } from '@rookery/sdk/operations.ts'
import type { Connection } from './connection.ts'

export async function callConsole(
  { baseUrl, key }: Connection,
  operation: ListedOperation,
  params: Readonly<Record<string, string | File>>,
) {
  try {
    return await callOperation(openClient({ baseUrl, key }), operation, params)
  } catch (error) {
    if (error instanceof ApiError || !(error instanceof TypeError)) throw error
    const { cause } = error as { cause?: { code?: string; message?: string } }
    throw new Error(`No console answers at ${baseUrl}: ${cause?.code ?? cause?.message ?? error.message}`, {
      cause: error,
    })
  }
}
