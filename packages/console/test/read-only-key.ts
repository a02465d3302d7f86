// A key of the least type, for tests of what it may see and do.
import type { TestConsole } from './test-console.ts'

export async function readOnlyKey({ api }: Pick<TestConsole, 'api'>): Promise<string> {
  const { global_api_key: key } = await api.apiKeys.add({ auth_token_type: 'read-only', note: 'reader' })
  return key.auth_token
}
