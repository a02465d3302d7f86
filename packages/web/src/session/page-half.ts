// The page's half of the session. localStorage belongs to one port, unlike a cookie, which goes to every port of the host.
const KEY = 'rookery.page'

/** For browsers that refuse storage: the session then ends with the tab. */
let inMemory: string | undefined

export const pageHalf = {
  read(): string | undefined {
    try {
      return localStorage.getItem(KEY) ?? inMemory
    } catch {
      return inMemory
    }
  },
  write(half: string): void {
    inMemory = half
    try {
      localStorage.setItem(KEY, half)
    } catch {
      // Kept in memory.
    }
  },
  clear(): void {
    inMemory = undefined
    try {
      localStorage.removeItem(KEY)
    } catch {
      // Was never there.
    }
  },
}
